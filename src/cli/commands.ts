import { Command } from './command';
import { completionCommand } from './completion/completion-command';
import { EXPLAIN_COMMAND } from './explain/explain-command';
import { GRAPH_COMMAND } from './graph/graph-command';
import { IMAGES_COMMAND } from './images/images-command';
import { IMAGES_LOCK_COMMAND } from './images/lock-command';
import { INIT_COMMAND } from './init/init-command';
import { INVENTORY_COMMAND } from './inventory/inventory-command';
import { PLAN_COMMAND } from './plan/plan-command';
import { VALIDATE_COMMAND } from './validate/validate-command';
import { VERSION_COMMAND } from './version-command';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  INIT_COMMAND, VALIDATE_COMMAND, EXPLAIN_COMMAND, PLAN_COMMAND, IMAGES_COMMAND, IMAGES_LOCK_COMMAND, INVENTORY_COMMAND, GRAPH_COMMAND,
  completionCommand(() => COMMANDS), VERSION_COMMAND,
];
