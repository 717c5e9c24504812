/** A template that the controller cannot read or execute. */
export class TemplateFault extends Error {}

/** A template whose result cannot be computed here: its result is random, its functions are not known here, or it takes too many steps. */
export class NotComputed extends Error {}
