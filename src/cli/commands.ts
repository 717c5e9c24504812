import { Command } from './command';
import { IMAGES_COMMAND } from './images/images-command';
import { IMAGES_LOCK_COMMAND } from './images/lock-command';
import { VALIDATE_COMMAND } from './validate/validate-command';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [VALIDATE_COMMAND, IMAGES_COMMAND, IMAGES_LOCK_COMMAND];
