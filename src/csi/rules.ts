import { Rule } from '../validation/problem';

const CLAIMS = 'kubernetes.io/docs/concepts/storage/persistent-volumes';

/** What is demanded of claims by the storage classes that a cluster is known to have. */
export const CLAIM_RULES = {
  accessMode: {
    id: 'TC-STORAGE-CLAIM-ACCESS-MODE',
    title: 'A claim asks for access modes that the driver of its storage class can give.',
    source: `${CLAIMS} (access modes), and the driver behind the class`,
  },
  size: {
    id: 'TC-STORAGE-CLAIM-SIZE',
    title: 'A claim asks for a size that volumes of its storage class can have.',
    source: `${CLAIMS} (resources), and the driver behind the class`,
  },
  source: {
    id: 'TC-STORAGE-CLAIM-SOURCE',
    title: 'A claim begins as a copy only where the driver of its storage class makes copies.',
    source: `${CLAIMS} (volume snapshot and restore, volume cloning), and the driver behind the class`,
  },
} satisfies Record<string, Rule>;
