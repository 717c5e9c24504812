import { Rule } from '../../manifests/values/problem';

/** What blueprints demand of their properties. */
export const BLUEPRINT_RULES = {
  required: {
    id: 'TC-BLUEPRINT-REQUIRED',
    title: 'What only the user can know, such as the image of a driver or a bucket, must not be empty.',
  },
  leaveOut: {
    id: 'TC-BLUEPRINT-LEAVE-OUT',
    title: 'Names in leaveOut must be those of pools and addons of the blueprint.',
  },
  unused: {
    id: 'TC-BLUEPRINT-UNUSED',
    title: 'An option of a part must not be set if the part is left out or replaced as a whole: it would have no effect.',
  },
} satisfies Record<string, Rule>;
