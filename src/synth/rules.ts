import { Rule } from '../problems/problem';

/** Rules of objects before they are written. */
export const SYNTH_RULES = {
  patch: {
    id: 'TC-OBJECT-PATCH',
    title: 'A patch must apply to its object, and use the API\'s names of fields.',
    source: 'datatracker.ietf.org/doc/html/rfc6902',
  },
} satisfies Record<string, Rule>;
