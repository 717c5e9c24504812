import { BUILTIN_FUNCTIONS } from './builtin-functions';
import { DATA_FUNCTIONS } from './data-functions';
import { execute, StepBudget } from './execution';
import { TemplateFault } from './faults';
import { GoFunctions } from './functions';
import { parseTemplate, ParsedTemplate } from './syntax';
import { TEXT_FUNCTIONS } from './text-functions';

/** Sprig's functions that give the same result each time, and that are computed here. */
const SPRIG_FUNCTIONS: GoFunctions = { ...TEXT_FUNCTIONS, ...DATA_FUNCTIONS };
const ALL_FUNCTIONS: GoFunctions = { ...BUILTIN_FUNCTIONS, ...SPRIG_FUNCTIONS };

/** Functions that templates may call, and whose results are not computed here: they are random, depend on the time, or are hardly used. */
const OTHER_FUNCTIONS: ReadonlySet<string> = new Set([
  'js', 'call', 'ago', 'duration', 'durationRound', 'must_date_modify', 'mustDateModify', 'mustToDate', 'toDate', 'unixEpoch', 'abbrevboth', 'swapcase', 'shuffle',
  'snakecase', 'camelcase', 'kebabcase', 'wrap', 'wrapWith', 'adler32sum', 'randInt', 'add1f', 'addf', 'subf', 'divf', 'mulf', 'base', 'dir', 'clean', 'ext', 'isAbs',
  'osBase', 'osClean', 'osDir', 'osExt', 'osIsAbs', 'b32enc', 'b32dec', 'bcrypt', 'htpasswd', 'genPrivateKey', 'derivePassword', 'buildCustomCert', 'genCA',
  'genCAWithKey', 'genSelfSignedCert', 'genSelfSignedCertWithKey', 'genSignedCert', 'genSignedCertWithKey', 'encryptAES', 'decryptAES', 'regexSplit',
  'mustRegexSplit', 'urlParse', 'urlJoin',
]);

/** Names of the functions that templates may call: those of Go, and of sprig. */
export function templateFunctions(): ReadonlySet<string> {
  return FUNCTION_NAMES;
}

const FUNCTION_NAMES: ReadonlySet<string> = new Set([...Object.keys(ALL_FUNCTIONS), ...OTHER_FUNCTIONS]);

/** Functions that change maps: other templates have the same ones. */
const CHANGES_MAPS = /\b(?:un)?set\b|[mM]erge/;

/** Templates of classes are rendered for each pool of each Cluster. */
const PARSED = new Map<string, ParsedTemplate | TemplateFault>();
const MOST_KEPT = 1000;

/**
 * Renders a template with the functions of sprig, as Cluster API renders values of patches.
 *
 * Throws `TemplateFault` where Go does, and `NotComputed` where the result is not known here.
 *
 * @param template the template
 * @param data what it is rendered with
 */
export function renderTemplate(template: string, data: unknown): string {
  const parsed = parsedOnce(template);
  if (parsed instanceof TemplateFault) throw parsed;
  return execute(parsed, { data: CHANGES_MAPS.test(template) ? structuredClone(data) : data, functions: ALL_FUNCTIONS });
}

/** Ways in which a program renders templates that differ from those of Cluster API. */
export interface TemplateDialect {
  /** Functions beside those of sprig. */
  readonly functions: GoFunctions;

  /** True if a missing field is a fault. */
  readonly missingKeyIsFault: boolean;

  /** Steps that are left for all templates of one object. */
  readonly budget: StepBudget;
}

/** The functions of a dialect with those of sprig, and the templates that were read with them. */
interface KnownDialect {
  readonly all: GoFunctions;
  readonly parsed: Map<string, ParsedTemplate>;
}

const DIALECTS = new WeakMap<GoFunctions, KnownDialect>();

/**
 * Renders a template as another program does.
 *
 * Throws `TemplateFault` where Go does, and `NotComputed` where the result is not known here.
 *
 * @param template the template
 * @param data what it is rendered with
 * @param dialect what the program does otherwise
 */
export function renderDialect(template: string, data: unknown, { functions, ...execution }: TemplateDialect): string {
  const { all, parsed: known } = DIALECTS.get(functions) ?? { all: { ...ALL_FUNCTIONS, ...functions }, parsed: new Map<string, ParsedTemplate>() };
  const parsed = known.get(template) ?? parseTemplate(template, (name) => Object.hasOwn(all, name) || OTHER_FUNCTIONS.has(name));
  if (known.size >= MOST_KEPT) known.clear();
  known.set(template, parsed);
  DIALECTS.set(functions, { all, parsed: known });
  return execute(parsed, { data: CHANGES_MAPS.test(template) ? structuredClone(data) : data, functions: all, ...execution });
}

/** Says why a template cannot be read; undefined if it can. */
export function templateFault(template: string): string | undefined {
  const parsed = parsedOnce(template);
  return parsed instanceof TemplateFault ? parsed.message : undefined;
}

function parsedOnce(template: string): ParsedTemplate | TemplateFault {
  const parsed = PARSED.get(template) ?? parsedOrFault(template);
  if (PARSED.size >= MOST_KEPT) PARSED.clear();
  PARSED.set(template, parsed);
  return parsed;
}

function parsedOrFault(template: string): ParsedTemplate | TemplateFault {
  try {
    return parseTemplate(template, (name) => Object.hasOwn(ALL_FUNCTIONS, name) || OTHER_FUNCTIONS.has(name));
  } catch (error) {
    if (error instanceof TemplateFault) return error;
    throw error;
  }
}

/**
 * Renders a template of names, as Cluster API and its providers do: a missing field is a fault.
 *
 * @param template the template
 * @param data what it is rendered with
 * @param sprig names of the functions of sprig that it may call; Cluster API has none
 */
export function renderName(template: string, data: unknown, sprig: readonly string[] = []): string {
  const functions = { ...BUILTIN_FUNCTIONS, ...Object.fromEntries(sprig.map((name) => [name, SPRIG_FUNCTIONS[name]])) };
  const parsed = parseTemplate(template, (name) => Object.hasOwn(functions, name));
  return execute(parsed, { data, functions, missingKeyIsFault: true });
}
