import { ManifestIndex } from './manifest-index';
import { ofEachObject } from './of-one-object';
import { containersOf, PlacedContainer } from './pod-objects';
import { ManifestObject, namespaceOf } from '../objects/manifest-object';
import { compareReleases, flagFact, isKnownProgram, knownReleases } from '../values/component-facts';
import { fieldAt, FieldPath, Fields, isFields, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { parseImageReference, releaseOf } from '../values/image-reference';

/** An argument of a program. */
export interface ProgramArgument {
  /** Name of the flag without leading hyphens; underscores are hyphens. */
  readonly name: string;

  /** Value; undefined if it is not in the object, and the program gets it from elsewhere. */
  readonly value?: string;

  /** Value as it is written, with references to variables. */
  readonly written: string;

  /** True if the name has two hyphens. */
  readonly isLong: boolean;
  readonly path: FieldPath;
}

/** A program in a container of a workload. */
export interface Program extends PlacedContainer {
  readonly object: ManifestObject;

  /** Name of its executable file, or of its image: `cluster-autoscaler`. It is that in the tables of flags, if they have the program. */
  readonly name: string;

  /** Tag of the image; undefined if there is none, or a variable. */
  readonly tag?: string;

  /** Release by the tag, such as `1.35`. */
  readonly release?: string;
  readonly args: readonly ProgramArgument[];

  /** False if a script or a variable may give it further arguments. */
  readonly isComplete: boolean;
}

/** Executable files that run what is in their arguments. */
const RUNNERS: ReadonlySet<string> = new Set(['ash', 'bash', 'busybox', 'dash', 'dumb-init', 'env', 'go-runner', 'nsenter', 'sh', 'tini']);

/** Other names of programs. */
const ALIASES: Readonly<Record<string, string>> = {
  'csi-node-registrar': 'csi-node-driver-registrar',
  'liveness-probe': 'livenessprobe',
  'proxy-agent': 'konnectivity-agent',
  'proxy-server': 'konnectivity-server',
};

const ARCHITECTURE = /-(?:amd64|arm64|arm|ppc64le|s390x)$/;
const NAME = /^[a-z0-9][\w.-]*$/i;

/** A placeholder of the tool that applies the manifest. */
const TEMPLATE = /\{\{|\$\{/;

/** A variable of the container (kubernetes/kubernetes third_party/forked/golang/expansion/expand.go). */
const VARIABLE = /\$\$|\$\(([^()]+)\)/g;

/** The programs in the containers of the pods that an object is or makes, in the order of the containers. */
export const programsOf = ofEachObject((object: ManifestObject): readonly Program[] => (
  containersOf(object).flatMap((placed) => programIn(object, placed))));

/** The programs of an object that run as long as its pods do. */
export function runningPrograms(object: ManifestObject): readonly Program[] {
  return programsOf(object).filter(({ list, container }) => (
    list === 'containers' || (list === 'initContainers' && container.restartPolicy === 'Always')));
}

/** True if the tables of flags have the release of a program. */
export function isKnownRelease({ name, release }: Program): boolean {
  return release !== undefined && isKnownProgram(name) && knownReleases(name).some((known) => compareReleases(known, release) === 0);
}

/** The last argument of a name, which counts; undefined if there is none. */
export function argumentOf({ args }: Program, name: string): ProgramArgument | undefined {
  return args.filter((argument) => argument.name === name).at(-1);
}

/**
 * The value of an argument, with the variables that are in ConfigMaps; undefined if it is not known.
 *
 * @param program the program
 * @param argument one of its arguments
 * @param index where the ConfigMaps are
 */
export function valueOf(program: Program, argument: ProgramArgument, index: ManifestIndex): string | undefined {
  return argument.value ?? expanded(argument.written, (name) => variableOf(program.container, name, program.object, index));
}

function programIn(object: ManifestObject, placed: PlacedContainer): Program[] {
  const { container, path } = placed;
  const image = stringAt(container, 'image');
  const ofImage = image === undefined ? undefined : knownName(image.replace(/@.*$/, '').replace(/:[^/:]*$/, ''));
  const [command] = listAt(container, 'command');
  const ofFile = typeof command === 'string' ? knownName(command) : undefined;
  const isRun = ofFile !== undefined && RUNNERS.has(ofFile);
  const given = isRun ? [] : [
    ...stringsAt(container, 'command').slice(1).map(([text, at]) => ({ text, path: [...path, 'command', at] })),
    ...stringsAt(container, 'args').map(([text, at]) => ({ text, path: [...path, 'args', at] })),
  ];
  const known = [ofFile, ofImage].find((one) => one !== undefined && isKnownProgram(one)) ?? programOfCloud(given);
  const name = known ?? (isRun ? ofImage : ofFile ?? ofImage);
  if (name === undefined) return [];
  const parsed = parsedArguments(name, given, (variable) => variableOf(container, variable, object));
  const tag = parseImageReference(image ?? '')?.tag;
  return [{
    ...placed, object, name, ...parsed, isComplete: parsed.isComplete && !isRun, ...(tag !== undefined && { tag, release: releaseOf(image!) }),
  }];
}

/** Name of a program by the path of its image, or of its file. */
function knownName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(ARCHITECTURE, '');
  if (!NAME.test(name)) return undefined;
  return ALIASES[name] ?? (isKnownProgram(`${name}-driver`) ? `${name}-driver` : name);
}

interface GivenText {
  readonly text: string;
  readonly path: FieldPath;
}

/** A program that is known by the value of `--cloud-provider`, also under another image or file name. */
function programOfCloud(given: readonly GivenText[]): string | undefined {
  const cloud = given.map(({ text }) => /^--cloud-provider=(\w+)$/.exec(text)?.[1]).find((value) => value !== undefined);
  const name = cloud === 'clusterapi' ? 'cluster-autoscaler' : `${cloud}-cloud-controller-manager`;
  return cloud !== undefined && isKnownProgram(name) ? name : undefined;
}

type Variables = (name: string) => string | undefined;

function parsedArguments(program: string, given: readonly GivenText[], variables: Variables): Pick<Program, 'args' | 'isComplete'> {
  const args: ProgramArgument[] = [];
  let isComplete = true;
  for (let at = 0; at < given.length && given[at].text !== '--'; at++) {
    const { text, path } = given[at];
    const match = /^(--?)([^-=\s$][^=\s]*)(?:=([^]*))?$/.exec(text);
    if (!match || TEMPLATE.test(match[2])) {
      // A variable may be a flag of any name.
      isComplete &&= match === null && !/\$\(/.test(text) && !TEMPLATE.test(text);
      continue;
    }
    const name = match[2].replaceAll('_', '-');
    const isValueApart = match[3] === undefined && !isSwitch(program, name) && given[at + 1]?.text.startsWith('-') === false;
    if (isValueApart) at++;
    const written = match[3] ?? (isValueApart ? given[at].text : 'true');
    args.push({ name, written, value: expanded(written, variables), isLong: match[1] === '--', path });
  }
  return { args, isComplete };
}

/** True if a flag has no value after a space. */
function isSwitch(program: string, flag: string): boolean {
  return isKnownProgram(program) && flagFact(program, flag)?.type === 'bool';
}

/** A text with the values of its variables; undefined if one of them is not known. */
function expanded(text: string, variables: Variables): string | undefined {
  if (TEMPLATE.test(text)) return undefined;
  let isKnown = true;
  const result = text.replace(VARIABLE, (reference, name: string | undefined) => {
    if (name === undefined) return '$';
    const value = variables(name);
    isKnown &&= value !== undefined;
    return value ?? reference;
  });
  return isKnown ? result : undefined;
}

function variableOf(container: Fields, name: string, object: ManifestObject, index?: ManifestIndex): string | undefined {
  const [variable] = objectsAt(container, 'env').filter(([one]) => one.name === name).at(-1) ?? [];
  if (!variable) return undefined;
  if (!isFields(variable.valueFrom)) return typeof variable.value === 'string' ? expanded(variable.value, () => undefined) : undefined;
  if (stringAt(variable.valueFrom, 'fieldRef', 'fieldPath') === 'metadata.namespace') return namespaceOf(object);
  const source = fieldAt(variable.valueFrom, 'configMapKeyRef');
  const configMap = isFields(source) ? index?.find('/ConfigMap', namespaceOf(object), stringAt(source, 'name')) : undefined;
  const value = fieldAt(configMap, 'data', stringAt(source, 'key') ?? '');
  return typeof value === 'string' && !TEMPLATE.test(value) ? value : undefined;
}
