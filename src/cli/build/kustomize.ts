import * as path from 'node:path';
import { findProgram, ProgramAnswer, runOver } from './programs';
import { FileContent, KustomizeUnit } from '../../manifests/landscape/kustomize-units';
import { Surroundings } from '../surroundings';

/** The option of commands that build kustomizations and charts. */
export const BUILD_OPTION = { 'no-build': { type: 'boolean', default: false } } as const;

/** Its lines of the help. */
export const BUILD_HELP = '  --no-build            run neither kustomize nor Helm';

/** A program that builds kustomizations, and its arguments before the folder. */
interface Builder {
  readonly name: string;
  readonly args: readonly string[];
}

/**
 * Programs that build kustomizations, the best first. Neither reads files outside of a kustomization, nor starts plug-ins, functions or Helm.
 *
 * Source: kubernetes-sigs/kustomize kustomize/commands/build (flagLoadRestrictor, flagEnablePlugins, flagEnableHelm).
 */
const BUILDERS: readonly Builder[] = [
  { name: 'kustomize', args: ['build', '--load-restrictor', 'LoadRestrictionsRootOnly'] },
  { name: 'kubectl', args: ['kustomize', '--load-restrictor', 'LoadRestrictionsRootOnly'] },
];

type Build = (unit: KustomizeUnit) => Promise<ProgramAnswer>;

/**
 * Program that builds kustomizations on this machine; undefined if none does.
 *
 * @param foreign folders with files of others, whose programs are not run
 */
export function kustomizeBuilder(foreign: readonly string[], { env }: Pick<Surroundings, 'env'>): Build | undefined {
  const found = BUILDERS.map(({ name, args }) => ({ program: findProgram(name, env, foreign), args })).find(({ program }) => program !== undefined);
  return found && ((unit) => runOver(found.program!, [...found.args, `./${unit.folder}`], filesOf(unit)));
}

/** Files that a kustomization reads. Kustomizations are written anew, so that what was checked is what is built. */
function filesOf({ kustomizations, files }: KustomizeUnit): ReadonlyMap<string, FileContent> {
  const written = [...kustomizations].map(([folder, value]) => (
    [path.posix.join(folder, 'kustomization.yaml'), { bytes: Buffer.from(JSON.stringify(value)) }] as const));
  return new Map([...files, ...written]);
}
