/** Codes of regions, such as "ewr"; the first API had numbers. */
export const REGION = /^[a-z]{3}$/;

/** Codes of plans, such as "vc2-2c-4gb"; the first API had numbers. */
export const PLAN = /^[a-z][a-z0-9]*(-[a-z0-9.]+)+$/;

/** CPUs and GiB of memory in the code of a plan, e.g. 1 and 2 in "voc-c-1c-2gb-25s-amd" or 2 and 8 in "vcg-a16-2c-8g-2vram". */
export const PLAN_SIZE = /-(\d+)c-(\d+(?:\.\d+)?)gb?(?:-|$)/;

/** What plans of bare metal begin with. */
export const BARE_METAL = 'vbm-';

/** What the provider recognizes machines of the control plane by, in their names. */
export const CONTROL_PLANE_MARK = 'control-plane';

/** The text behind which the provider writes a command of its own into the user data, wherever it stands. */
export const RUN_COMMANDS = 'runcmd:';
