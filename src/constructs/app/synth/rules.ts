import { Rule } from '../../../manifests/values/problem';

/** Rules of objects before they are written. */
export const SYNTH_RULES = {
  patch: {
    id: 'TC-OBJECT-PATCH',
    title: 'A patch must apply to its object, and use the API\'s names of fields.',
    source: 'datatracker.ietf.org/doc/html/rfc6902',
  },
  late: {
    id: 'TC-OBJECT-LATE',
    title: 'Objects must be made before the last call of synth(): later ones are in no output.',
  },
  value: {
    id: 'TC-OBJECT-VALUE',
    title: 'A field must have a value that a manifest can hold: a plain object, a list, a string, a finite number or a boolean.',
    source: 'datatracker.ietf.org/doc/html/rfc8259',
  },
} satisfies Record<string, Rule>;
