import { Rule } from '../../manifests/values/problem';

/** What the assertions of tests demand. */
export const TESTING_RULES = {
  assertion: {
    id: 'TC-TESTING-ASSERTION',
    title: 'The manifests of a tenant cluster must be what its test expects.',
  },
  former: {
    id: 'TC-TESTING-FORMER',
    title: 'The folder that a test compares with must have the manifests of an earlier state of the cluster.',
  },
} satisfies Record<string, Rule>;
