import * as path from 'node:path';
import { findProgram, ProgramAnswer, runOver, TimeLimit } from './programs';
import { KustomizeUnit } from '../../manifests/landscape/kustomize-units';
import { FileContent } from '../../manifests/landscape/state-content';
import { listAt } from '../../manifests/values/fields';
import { Surroundings } from '../surroundings';

/** The option of commands that build kustomizations and charts. */
export const BUILD_OPTION = { 'no-build': { type: 'boolean', default: false } } as const;

/** Its lines of the help. */
export const BUILD_HELP = '  --no-build            run neither kustomize nor Helm';

/** The options of commands that read the manifests of one state. */
export const BUILD_OPTIONS = { render: { type: 'string' }, ...BUILD_OPTION } as const;

/** Their lines of the help. */
export const BUILDS_HELP = `${BUILD_HELP}
  --render COMMAND      run this command in a copy of the folder (default: the current one), and read what it writes to standard output, for
                        charts and tools of any kind; it runs with your rights and environment`;

/** The paragraph of the help about them. */
export const BUILDS_TEXT = `Kustomizations that do more than list files, and charts in folders of a HelmRelease or an Application, are read as they are built, if
kustomize or kubectl, and helm, are installed. These programs run over copies of the files, with limits of time and output. They get no
configuration, credentials or plug-ins, read nothing outside, and fetch nothing. What is not built is named, and read as it is.`;

/** A program that builds kustomizations, and its arguments before the folder. */
interface Builder {
  readonly name: string;
  readonly args: readonly string[];
}

/**
 * Programs that build kustomizations, the best first. Neither starts plug-ins, functions or Helm.
 *
 * Source: kubernetes-sigs/kustomize kustomize/commands/build (flagLoadRestrictor, flagEnablePlugins, flagEnableHelm).
 */
const BUILDERS: readonly Builder[] = [{ name: 'kustomize', args: ['build'] }, { name: 'kubectl', args: ['kustomize'] }];

type Build = (unit: KustomizeUnit) => Promise<ProgramAnswer>;

/** The file of the kustomization that an object comes from, in its annotation. Source: kubernetes-sigs/kustomize api/internal/utils/annotations.go. */
export const ORIGIN_ANNOTATION = 'config.kubernetes.io/origin';

/**
 * Program that builds kustomizations on this machine; undefined if none does.
 *
 * @param foreign folders with files of others, whose programs are not run
 * @param origins true if each object names its origin in `ORIGIN_ANNOTATION`
 * @param limit the time of each build
 */
export function kustomizeBuilder(foreign: readonly string[], { env }: Pick<Surroundings, 'env'>, origins: boolean, limit: TimeLimit): Build | undefined {
  const found = BUILDERS.map(({ name, args }) => ({ program: findProgram(name, env, foreign), args })).find(({ program }) => program !== undefined);
  return found && ((unit) => (
    runOver(found.program!, [...found.args, '--load-restrictor', restrictorOf(unit), `./${unit.folder}`], filesOf(unit, origins), limit)));
}

/**
 * Limit to the files that kustomize reads. Only where a kustomization reads files outside of its folder, these may be anywhere: all that it names were
 * found among the files that are read, by relative paths.
 *
 * Source: fluxcd/pkg kustomize/kustomize_generator.go (Build); kubernetes-sigs/kustomize api/types/loadrestrictions.go.
 */
function restrictorOf({ readsOutside }: KustomizeUnit): string {
  return readsOutside ? 'LoadRestrictionsNone' : 'LoadRestrictionsRootOnly';
}

/** Files that a kustomization reads. Kustomizations are written anew, so that what was checked is what is built. */
function filesOf({ folder: top, kustomizations, files }: KustomizeUnit, origins: boolean): ReadonlyMap<string, FileContent> {
  const written = [...kustomizations].map(([folder, value]) => {
    // Kustomizations below have the metadata of the topmost one.
    const shown = origins && folder === top ? { ...value, buildMetadata: [...new Set([...listAt(value, 'buildMetadata'), 'originAnnotations'])] } : value;
    return [path.posix.join(folder, 'kustomization.yaml'), { bytes: Buffer.from(JSON.stringify(shown)) }] as const;
  });
  return new Map([...files, ...written]);
}
