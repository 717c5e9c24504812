import { Command } from './command';
import { IMAGES_COMMAND } from './images/images-command';
import { IMAGES_LOCK_COMMAND } from './images/lock-command';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [IMAGES_COMMAND, IMAGES_LOCK_COMMAND];
