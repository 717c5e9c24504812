import { CLUSTER_PROFILE, CLUSTER_SET, PROFILE, profileEffects, profileFacts, profilePacks, SET, setEffects } from './profiles';
import { Provider } from '../../rules/provider';

/** Sveltos, which deploys charts and manifests in clusters that its profiles select. */
export const SVELTOS: Provider = {
  name: 'sveltos',
  title: 'Sveltos',
  kinds: [
    { kind: CLUSTER_PROFILE, clusterScoped: true, managementOnly: true, packs: profilePacks },
    { kind: PROFILE, managementOnly: true, packs: profilePacks },
    { kind: CLUSTER_SET, clusterScoped: true, managementOnly: true },
    { kind: SET, managementOnly: true },
  ],
  namespaces: { projectsveltos: 'Sveltos runs there' },
  deliveries: [profileFacts(CLUSTER_PROFILE), profileFacts(PROFILE)],
  effects: { [CLUSTER_PROFILE]: profileEffects, [PROFILE]: profileEffects, [CLUSTER_SET]: setEffects, [SET]: setEffects },
};
