import { Rule } from '../validation/problem';

/** What is demanded of objects before they are written. */
export const SYNTH_RULES = {
  patch: {
    id: 'TC-OBJECT-PATCH',
    title: 'A patch can be applied to its object, and names fields as the API does.',
    source: 'datatracker.ietf.org/doc/html/rfc6902',
  },
} satisfies Record<string, Rule>;
