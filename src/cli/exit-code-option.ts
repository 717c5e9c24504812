import { CommandError, ExitCode } from './command';

/** The option by which a command tells by its exit code whether something is different. */
export const EXIT_CODE_OPTION = { 'exit-code': { type: 'boolean', default: false } } as const;

/** Exit codes with the option: those of `terraform plan -detailed-exitcode`. */
const WITH_EXIT_CODE: { readonly [outcome in 'failed' | 'different']: ExitCode } = { failed: 1, different: 2 };

/** The exit code of a comparison that was made. */
export function comparedExitCode({ 'exit-code': isAsked }: { readonly 'exit-code': boolean }, isDifferent: boolean): ExitCode {
  return isAsked && isDifferent ? WITH_EXIT_CODE.different : ExitCode.OK;
}

/** Runs a comparison. With the option, one that cannot be made has an exit code of its own. */
export async function comparing(args: readonly string[], compare: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await compare();
  } catch (error) {
    if (!(error instanceof CommandError) || !args.includes('--exit-code')) throw error;
    throw new CommandError(error.message.split('\n'), error.fix, WITH_EXIT_CODE.failed);
  }
}
