import { containersIn } from './pods';
import * as facts from './programs.generated.json';
import { Manifest } from '../support/clusters';

/** A program of one version, and what a container of it has to be like. */
export interface Program {
  readonly program: string;
  readonly version: string;
  readonly image: string;

  /** Absent for a program without releases: it is told by its image alone. */
  readonly tag?: string;

  /** Names of flags, without hyphens in front, separated by spaces. */
  readonly flags: string;

  /** Whether underscores in names of flags count as hyphens. */
  readonly underscores?: boolean;

  /** Flags that must be there, `name` or `name=value`. */
  readonly required?: readonly string[];

  /** Flags that must be there where the program does not run on every node. */
  readonly requiredOfController?: readonly string[];

  /** Environment that must be there. */
  readonly requiredEnv?: readonly string[];

  /** Whether the image starts nothing by itself once there are arguments. */
  readonly command?: boolean;

  /** Whether the image starts its program by a relative path. */
  readonly ownDirectory?: boolean;

  /** What the first argument is. */
  readonly subcommand?: string;

  /** Whether a user has to be given by number for `runAsNonRoot`. */
  readonly user?: boolean;
}

/** All programs, from the flags that they listed themselves. */
export const PROGRAMS = Array.from(facts as unknown as ArrayLike<Program>);

/** What is wrong with the containers of known programs in an object. */
export function programFaults(object: Manifest, programs: readonly Program[] = PROGRAMS): string[] {
  return containersIn(object).flatMap(({ path, pod, container }) => faultsOf(container, pod, object.kind, programs).map((fault) => `${path}: ${fault}`));
}

/** The programs that a container's image may be; several where an image has several parts. */
export function programsOf(image: string, programs: readonly Program[] = PROGRAMS): { known: boolean; candidates: readonly Program[] } {
  const { repository, tag } = /^(?<repository>[^@]+?)(?::(?<tag>[^:/@]+))?(?:@.*)?$/.exec(image)!.groups!;
  // Wherever an image is kept, it has its own name there.
  const ofImage = programs.filter((program) => lastPartOf(program.image) === lastPartOf(repository));
  return { known: ofImage.length > 0, candidates: ofImage.filter((program) => program.tag === undefined || program.tag === tag) };
}

function lastPartOf(repository: string): string {
  return repository.slice(repository.lastIndexOf('/') + 1);
}

function faultsOf(container: Manifest, pod: Manifest, kind: string, programs: readonly Program[]): string[] {
  const { known, candidates } = programsOf(container.image, programs);
  if (!known) return [];
  if (candidates.length === 0) return [`nobody has read the flags of ${container.image}`];
  // Of the parts of a program, the one that it comes closest to is meant.
  const [best] = candidates.map((program) => [...flagFaults(program, container, kind), ...startFaults(program, container, pod)])
    .sort((one, other) => one.length - other.length);
  return best;
}

function flagFaults(one: Program, container: Manifest, kind: string): string[] {
  const { program, version, flags, underscores, required = [], requiredOfController = [], requiredEnv = [], subcommand } = one;
  const args: string[] = [...(container.command ?? []).slice(1), ...(container.args ?? [])].slice(subcommand === undefined ? 0 : 1);
  const given = args.map((arg) => {
    const [, name, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    return { arg, name: underscores ? name?.replaceAll('_', '-') : name, value };
  });
  const needed = [...required, ...(kind === 'DaemonSet' ? [] : requiredOfController)];
  const environment = (container.env ?? []).map(({ name }: Manifest) => name);
  return [
    ...given.filter(({ name }) => name === undefined || !flags.split(' ').includes(name)).map(({ arg }) => `${program} ${version} has no flag ${arg}`),
    ...needed.filter((need) => !given.some(({ name, value }) => name === need || `${name}=${value}` === need)).map((need) => `${program} needs --${need}`),
    ...(container.envFrom ? [] : requiredEnv.filter((name) => !environment.includes(name)).map((name) => `${program} needs the variable ${name}`)),
  ];
}

function startFaults({ program, command, ownDirectory, subcommand, user }: Program, container: Manifest, pod: Manifest): string[] {
  const security = { ...pod.securityContext, ...container.securityContext };
  return [
    ...(command && container.command === undefined ? [`the image of ${program} starts nothing by itself: it needs a command`] : []),
    ...(ownDirectory && container.workingDir !== undefined ? [`${program} starts in the image's own directory only`] : []),
    ...(subcommand !== undefined && container.args?.[0] !== subcommand ? [`the first argument of ${program} must be ${subcommand}`] : []),
    ...(user && security.runAsNonRoot && !security.runAsUser ? [`the image of ${program} names no user other than root by number: runAsUser is needed`] : []),
  ];
}
