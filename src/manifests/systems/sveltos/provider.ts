import { CLUSTER_PROFILE, PROFILE, profileEffects, profileFacts } from './profiles';
import { Provider } from '../../rules/provider';

/** Sveltos, which deploys charts and manifests in clusters that its profiles select. */
export const SVELTOS: Provider = {
  name: 'sveltos',
  title: 'Sveltos',
  kinds: [{ kind: CLUSTER_PROFILE, clusterScoped: true, managementOnly: true }, { kind: PROFILE, managementOnly: true }],
  namespaces: { projectsveltos: 'Sveltos runs there' },
  deliveries: [profileFacts(CLUSTER_PROFILE), profileFacts(PROFILE)],
  effects: { [CLUSTER_PROFILE]: profileEffects, [PROFILE]: profileEffects },
};
