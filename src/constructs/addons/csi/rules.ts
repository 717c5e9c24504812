import { Rule } from '../../../manifests/values/problem';

const CLAIMS = 'kubernetes.io/docs/concepts/storage/persistent-volumes';

/** Rules of claims, from the known storage classes of a cluster. */
export const CLAIM_RULES = {
  accessMode: {
    id: 'TC-STORAGE-CLAIM-ACCESS-MODE',
    title: 'The driver of a claim\'s storage class must support its access modes.',
    source: `${CLAIMS} (access modes), and the driver behind the class`,
  },
  size: {
    id: 'TC-STORAGE-CLAIM-SIZE',
    title: 'The size of a claim must be possible for volumes of its storage class.',
    source: `${CLAIMS} (resources), and the driver behind the class`,
  },
  source: {
    id: 'TC-STORAGE-CLAIM-SOURCE',
    title: 'A claim may have a data source only if the driver of its storage class can copy volumes.',
    source: `${CLAIMS} (volume snapshot and restore, volume cloning), and the driver behind the class`,
  },
} satisfies Record<string, Rule>;
