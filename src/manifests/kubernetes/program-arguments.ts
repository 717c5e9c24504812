import { containerText } from './examples';
import { fault } from './findings';
import { replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS } from '../rules/pod-objects';
import { isKnownRelease, Program, ProgramArgument, programsOf } from '../rules/programs';
import { checkArguments } from '../values/component-arguments';
import { flagFact, flagNames, isKnownProgram, knownReleases } from '../values/component-facts';
import { Finding } from '../values/finding';
import { nearestName } from '../values/nearest-name';
import { removedFlag } from '../values/removed-flags';

const SOURCE = 'the programs, which end at a flag that they do not know (spf13/pflag, Go\'s flag)';
const AUTOSCALER = containerText('args: [--cloud-provider=clusterapi, --scan-interval=10s]')
  .replace('registry.example.com/web:v1', 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2');

const KNOWN_RELEASE: ManifestRule = {
  id: 'TC-TRAP-PROGRAM-ARGUMENT',
  title: 'A program in a pod must know its arguments and be able to parse their values: it does not start otherwise.',
  source: SOURCE,
  kinds: POD_KINDS,
  trap: true,
  example: replaced(AUTOSCALER, '--scan-interval=10s', '--scan-intervall=10s'),
  check: (object) => programsOf(object).filter(isKnownRelease).flatMap((program) => judgedArguments(program).flatMap((argument) => (
    // A variable has a value of any form.
    checkArguments(program.name, program.release, [{ name: argument.name, value: argument.value ?? '' }])
      .filter(({ message }) => argument.value !== undefined || /has no flag/.test(message))
      .map((finding) => ({ ...finding, ...removalOf(program, argument), path: argument.path }))
  ))),
};

const OTHER_RELEASE: ManifestRule = {
  id: 'TC-TRAP-PROGRAM-ARGUMENT-RELEASE',
  title: 'A program in a pod should know its arguments in each known release, if the tag of its image is none of these.',
  source: SOURCE,
  kinds: POD_KINDS,
  trap: true,
  warning: true,
  example: replaced(AUTOSCALER.replace(':v1.35.2', ':latest'), '--scan-interval=10s', '--scan-intervall=10s'),
  check: (object) => programsOf(object).filter((program) => isKnownProgram(program.name) && !isKnownRelease(program))
    .flatMap((program) => judgedArguments(program).flatMap((argument) => unknownArgument(program, argument))),
};

/** Rules for the arguments of programs whose flags are known. */
export const PROGRAM_ARGUMENTS: readonly ManifestRule[] = [KNOWN_RELEASE, OTHER_RELEASE];

/** Short flags are in no table, and builds of others may have further flags: the tag of `v1.0.0+vendor.1` is `v1.0.0_vendor.1`. */
function judgedArguments({ name, tag, args }: Program): readonly ProgramArgument[] {
  const isOwnBuild = tag?.includes('_') === true;
  return args.filter((argument) => argument.isLong && (!isOwnBuild || flagFact(name, argument.name) !== undefined));
}

function removalOf({ name, release }: Program, argument: ProgramArgument): Pick<Finding, 'message' | 'fix'> | undefined {
  const removed = removedFlag(name, argument.name, release);
  return removed && {
    message: `${name} has no flag --${argument.name} since ${removed.since}, and exits on it`, fix: removed.instead ?? `remove --${argument.name}`,
  };
}

/** An older or newer release may have flags that no table lists; a misspelt one has a similar name. */
function unknownArgument(program: Program, argument: ProgramArgument): Finding[] {
  const { name, release } = program;
  if (flagFact(name, argument.name)) return [];
  const removal = removalOf(program, argument);
  if (removal) return [{ ...removal, path: argument.path }];
  const near = nearestName(argument.name, flagNames(name), release === undefined ? undefined : SLIP);
  if (near === undefined && release !== undefined) return [];
  const releases = knownReleases(name).filter((known) => known !== UNTAGGED).join(', ');
  return [fault(
    argument.path, `no known release of ${name}${releases === '' ? '' : ` (${releases})`} has a flag --${argument.name}; it exits on it then`,
    near === undefined ? `remove --${argument.name}` : `did you mean --${near}?`,
  )];
}

/** So many characters differ in a misspelt flag of another release at most: older flags are similar to newer ones. */
const SLIP = 2;

/** Release in the tables of a program that is published without versions. */
const UNTAGGED = '0.0';
