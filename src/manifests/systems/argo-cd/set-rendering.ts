import { NotComputed, TemplateFault } from '../../go-template/faults';
import { goFunction, GoFunctions } from '../../go-template/functions';
import { renderDialect } from '../../go-template/go-template';
import { goJson } from '../../go-template/values';
import { ManifestObject } from '../../objects/manifest-object';
import { valuesIn } from '../../objects/manifest-text';
import { fieldAt, Fields, isFields, listAt } from '../../values/fields';

/** Values that a generator fills into the template. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Steps of all templates of one set together. */
const MOST_STEPS = 1_000_000;

const PLACEHOLDER = /\{\{\s*\.?([\w.-]+(?:\[\d+\])?)\s*\}\}/g;

/** The beginning of a placeholder, or of an action of a Go template. */
export const OPEN = '{{';

/**
 * Functions that Argo CD adds to those of sprig.
 *
 * Source: argoproj/argo-cd applicationset/utils/{utils,template_functions}.go, v3.6.1.
 */
const FUNCTIONS: GoFunctions = {
  normalize: goFunction('string', normalized),
  slugify: goFunction('...any', () => {
    throw new NotComputed('slugify is not computed');
  }),
  // JSON is YAML.
  toYaml: goFunction('any', goJson),
  fromYaml: goFunction('string', (text: string) => parsed(text, isFields)),
  fromYamlArray: goFunction('string', (text: string) => parsed(text, Array.isArray)),
};

function parsed(text: string, isWanted: (value: unknown) => boolean): unknown {
  const [value] = valuesIn(text);
  if (!isWanted(value)) throw new NotComputed('it is no YAML of that kind');
  return value;
}

/** Source: argoproj/argo-cd applicationset/utils/template_functions.go (SanitizeName), v3.6.1. */
export function normalized(name: string): string {
  return name.toLowerCase().replace(/[^-a-z0-9.]/g, '-').slice(0, 253).replace(/^[-.]+|[-.]+$/g, '');
}

/** The value of a parameter, by its name or path. */
export function valueAt(element: Parameters, path: string): unknown {
  return element[path] ?? fieldAt(element, ...path.split('.'));
}

/**
 * Fills parameters into the templates of an ApplicationSet.
 *
 * Source: argoproj/argo-cd applicationset/utils/utils.go (Replace, deeplyReplace, RenderGeneratorParams), v3.6.1.
 */
export class SetRendering {
  /** True if texts are templates of Go. */
  public readonly isGo: boolean;
  private readonly missingKeyIsFault: boolean;
  private readonly budget = { left: MOST_STEPS };

  public constructor(set: ManifestObject) {
    this.isGo = fieldAt(set, 'spec', 'goTemplate') === true;
    this.missingKeyIsFault = listAt(set, 'spec', 'goTemplateOptions').includes('missingkey=error');
  }

  /** A text with the values of an element. Without Go templates, a placeholder without a value stays. */
  public text(text: string, element: Parameters, missingKeyIsFault = this.missingKeyIsFault): string {
    if (!text.includes(OPEN)) return text;
    if (this.isGo) return renderDialect(text, element, { functions: FUNCTIONS, missingKeyIsFault, budget: this.budget });
    return text.replace(PLACEHOLDER, (whole, path: string) => {
      const found = valueAt(element, path);
      return ['string', 'number', 'boolean'].includes(typeof found) ? String(found) : whole;
    });
  }

  /** A template with the values of an element, also in the names of its fields. */
  public filled(value: unknown, element: Parameters): unknown {
    if (typeof value === 'string') return this.text(value, element);
    if (Array.isArray(value)) return value.map((item) => this.filled(item, element));
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key, element), this.filled(item, element)]));
  }

  /** A generator with the values of an element of another one. Of its `values`, those stay that need its own elements. */
  public filledGenerator(generator: Fields, element: Parameters): Fields {
    return Object.fromEntries(Object.entries(generator).map(([kind, settings]) => {
      if (!isFields(settings) || !isFields(settings.values)) return [kind, this.filled(settings, element)];
      const { values, ...others } = settings;
      const known = Object.entries(values).map(([name, value]) => [name, this.orKept(value, element)]);
      return [kind, { ...this.filled(others, element) as Fields, values: Object.fromEntries(known) }];
    }));
  }

  /** Parameters with those that a generator computes of them. */
  public withValues(element: Parameters, values: unknown): Parameters {
    if (!isFields(values)) return element;
    const computed = Object.entries(values).map(([name, value]) => [name, this.text(String(value), element)] as const);
    if (this.isGo) return { ...element, values: Object.fromEntries(computed) };
    return { ...element, ...Object.fromEntries(computed.map(([name, value]) => [`values.${name}`, value])) };
  }

  private orKept(value: unknown, element: Parameters): unknown {
    try {
      return this.text(String(value), element, true);
    } catch (error) {
      if (error instanceof TemplateFault) return value;
      throw error;
    }
  }
}

/** The result of a function that renders templates; undefined where it is not known, or Argo CD reports a fault. */
export function ifRendered<T>(render: () => T): T | undefined {
  try {
    return render();
  } catch (error) {
    if (error instanceof TemplateFault || error instanceof NotComputed) return undefined;
    throw error;
  }
}
