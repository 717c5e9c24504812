import { templateFunctions } from '../../../go-template/go-template';
import { ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, FieldPath, Fields, isFields, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';
import { APPLICATION_SET } from '../deliveries';

const TEXT = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: tenants
  namespace: argocd
spec:
  goTemplate: true
  generators:
    - list: {elements: [{cluster: acme}]}
  template:
    metadata: {name: "{{.cluster}}"}
    spec:
      project: default
      destination: {name: "{{.cluster}}", namespace: shop}
      source: {repoURL: "https://github.com/example/shop", path: deploy, targetRevision: main}
`;

/** Words of Go's templates, and functions that Argo CD adds. */
const WORDS: ReadonlySet<string> = new Set(['end', 'else', 'break', 'continue', 'nil', 'true', 'false', 'normalize', 'slugify', 'toYaml', 'fromYaml', 'fromYamlArray']);

/** A parameter without a dot before it, which Go's templates read as a function. */
const PLAIN = /\{\{-?\s*([A-Za-z_]\w*)(?:[.[][\w.[\]]*)?\s*-?\}\}/g;

/** A parameter with a dot before it, which is no parameter elsewhere. */
const DOTTED = /\{\{-?\s*\.[A-Za-z_][\w.]*\s*-?\}\}/g;

/** Text that a template of Go writes as it is, which may be a template of another program. */
const LITERAL = /\{\{-?\s*(?:`[^`]*`|"(?:[^"\\\n]|\\.)*")\s*-?\}\}/g;

/** Values of a chart, patches and parameters of plug-ins, which may have templates of their own: without goTemplate they stay as they are. */
const OF_OTHERS: readonly string[] = ['helm', 'kustomize', 'plugin'];

const language: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-SET-TEMPLATE',
  title: 'Parameters of an ApplicationSet must be written with a dot, {{.name}}, if goTemplate is on, and without one, {{name}}, otherwise: no Application is made, or one with the text itself.',
  source: 'argoproj/argo-cd applicationset/utils/utils.go (Replace), v3.6.1',
  kinds: [APPLICATION_SET],
  trap: true,
  example: replaced(TEXT, '  goTemplate: true\n', ''),
  check: (object) => {
    const isGo = fieldAt(object, 'spec', 'goTemplate') === true;
    return findings(fieldAt(object, 'spec', 'template'), ['spec', 'template'], isGo);
  },
};

function findings(value: unknown, path: FieldPath, isGo: boolean): Finding[] {
  if (typeof value === 'string') return value.includes('{{') ? faults(value, path, isGo) : [];
  if (Array.isArray(value)) return value.flatMap((entry, index) => findings(entry, [...path, index], isGo));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => (!isGo && OF_OTHERS.includes(field) ? [] : findings(inner, [...path, field], isGo)));
}

function faults(text: string, path: FieldPath, isGo: boolean): Finding[] {
  if (!isGo) {
    const [dotted] = text.match(DOTTED) ?? [];
    return dotted === undefined ? [] : [{
      path, message: `${dotted} is not replaced, since goTemplate is not on`, fix: 'write goTemplate: true, or the parameter without a dot',
    }];
  }
  const unknown = [...text.replace(LITERAL, '').matchAll(PLAIN)].find(([, name]) => !WORDS.has(name) && !templateFunctions().has(name));
  return unknown === undefined ? [] : [{
    path, message: `${unknown[0]} calls a function "${unknown[1]}" that is not there: Argo CD makes no Application`, fix: `write {{.${unknown[1]}}} if you mean a parameter`,
  }];
}

/** Settings of "missingkey" in Go's templates. */
const MISSING_KEYS: readonly string[] = ['default', 'invalid', 'zero', 'error'].map((setting) => `missingkey=${setting}`);

const options: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-SET-OPTION',
  title: 'Options of the templates of an ApplicationSet must be ones of Go: its controller panics on others, and handles no ApplicationSet then.',
  source: 'golang/go src/text/template/option.go (setOption), argoproj/argo-cd applicationset/utils/utils.go (Replace), issue 20935',
  kinds: [APPLICATION_SET],
  trap: true,
  example: replaced(TEXT.replace('  goTemplate: true\n', '  goTemplate: true\n  goTemplateOptions: [missingkey=error]\n'), 'missingkey=error', 'missingkey=err'),
  check: (object) => stringsAt(object, 'spec', 'goTemplateOptions').filter(([option]) => !MISSING_KEYS.includes(option)).map(([option, index]) => ({
    path: ['spec', 'goTemplateOptions', index],
    message: `${JSON.stringify(option)} is no option of Go's templates`,
    accepted: MISSING_KEYS.join(', '),
    fix: `write ${JSON.stringify(nearestName(option, MISSING_KEYS) ?? 'missingkey=error')}`,
  })),
};

const elements: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-SET-ELEMENT',
  title: 'Fields of the elements of a list generator must be strings without goTemplate, apart from "values", an object of strings: no Application is made otherwise.',
  source: 'argoproj/argo-cd applicationset/generators/list.go (GenerateParams), v3.6.1',
  kinds: [APPLICATION_SET],
  trap: true,
  example: replaced(TEXT.replace('  goTemplate: true\n', '').replaceAll('{{.cluster}}', '{{cluster}}').replace('{cluster: acme}', '{cluster: acme, size: "3"}'), 'size: "3"', 'size: 3'),
  check: (object) => (fieldAt(object, 'spec', 'goTemplate') === true ? [] : listsIn(object).flatMap(({ list, path }) => (
    objectsAt(list, 'elements').flatMap(([element, index]) => elementFaults(element, [...path, 'elements', index]))))),
};

function listsIn(object: ManifestObject): { readonly list: unknown; readonly path: FieldPath }[] {
  const generatorsAt = (value: unknown, path: FieldPath): { readonly list: unknown; readonly path: FieldPath }[] => (
    objectsAt(value, 'generators').flatMap(([generator, index]) => {
      const place = [...path, 'generators', index];
      return [
        ...isFields(generator.list) ? [{ list: generator.list, path: [...place, 'list'] }] : [],
        ...['matrix', 'merge'].flatMap((kind) => generatorsAt(generator[kind], [...place, kind])),
      ];
    }));
  return generatorsAt(fieldAt(object, 'spec'), ['spec']);
}

function elementFaults(element: Fields, path: FieldPath): Finding[] {
  const fault = (place: FieldPath, accepted: string, fix: string): Finding => ({ path: place, message: 'Argo CD reads no parameters of this element', accepted, fix });
  return Object.entries(element).flatMap(([field, value]) => {
    if (field !== 'values') return typeof value === 'string' ? [] : [fault([...path, field], 'a string', 'put it into quotes, or write goTemplate: true')];
    if (!isFields(value)) return [fault([...path, field], 'an object of strings', 'rename the field, or write goTemplate: true')];
    return Object.keys(value).filter((key) => typeof value[key] !== 'string').map((key) => fault([...path, field, key], 'a string', 'put it into quotes, or write goTemplate: true'));
  });
}

/** A parameter that is written by itself. */
const PARAMETER = /\{\{-?\s*\.([A-Za-z_]\w*)(?:\.[\w.]+)?\s*-?\}\}/g;

const parameters: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-SET-PARAMETER',
  title: 'A template of an ApplicationSet must name parameters that its elements have: no Application is made otherwise, or one with "<no value>".',
  source: 'argoproj/argo-cd applicationset/utils/utils.go (Replace), applicationset/generators/list.go (GenerateParams), v3.6.1',
  kinds: [APPLICATION_SET],
  trap: true,
  example: replaced(TEXT, 'name: "{{.cluster}}", namespace: shop', 'name: "{{.clustre}}", namespace: shop'),
  check: (object) => {
    const generators = objectsAt(object, 'spec', 'generators').map(([generator]) => generator);
    const isListed = generators.every(({ list, ...others }) => (
      isFields(list) && stringAt(list, 'elementsYaml') === undefined && Object.keys(others).every((field) => field === 'selector')));
    if (fieldAt(object, 'spec', 'goTemplate') !== true || generators.length === 0 || !isListed) return [];
    const known = new Set(generators.flatMap(({ list }) => objectsAt(list, 'elements').flatMap(([element]) => Object.keys(element))));
    return known.size === 0 ? [] : unknownParameters(fieldAt(object, 'spec', 'template'), ['spec', 'template'], known);
  },
};

function unknownParameters(value: unknown, path: FieldPath, known: ReadonlySet<string>): Finding[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry, index) => unknownParameters(entry, [...path, index], known));
  if (isFields(value)) return Object.entries(value).flatMap(([field, inner]) => unknownParameters(inner, [...path, field], known));
  // Inside of a block, a dot may stand for something else, and a condition may ask for the parameter.
  if (typeof value !== 'string' || /\{\{-?\s*(?:if|range|with|define|block|template)\b/.test(value)) return [];
  const unknown = [...value.replace(LITERAL, '').matchAll(PARAMETER)].find(([, name]) => !known.has(name));
  return unknown === undefined ? [] : [{
    path, message: `no element has the parameter "${unknown[1]}"`, accepted: [...known].join(', '), fix: 'write one of them, or add it to the elements',
  }];
}

/** Rules over the templates of ApplicationSets, and over their parameters. */
export const SET_TEMPLATES: readonly ManifestRule[] = [language, options, elements, parameters];
