import { readArguments } from './arguments';
import { Command, CommandError, ExitCode } from './command';
import { ownVersion } from '../manifests/values/package-files';

const NAME = 'version';
const OPTIONS = {} as const;

const HELP = `cdk8s-cluster-api version: prints the version of the package

Usage: npx cdk8s-cluster-api version

--version and -v do the same.
`;

/** Prints the version of the package. */
export const VERSION_COMMAND: Command = {
  name: NAME,
  summary: 'print the version of the package',
  help: HELP,
  options: OPTIONS,
  operands: () => [],
  async run(args, { out }) {
    const { positionals } = readArguments(NAME, args, OPTIONS);
    if (positionals.length > 0) throw new CommandError(['version takes no arguments'], `leave out ${positionals.join(' ')}`);
    out(`${ownVersion()}\n`);
    return ExitCode.OK;
  },
};
