import { PlantedMistakes } from './planted-mistake';

const MACHINE = 'spec.template.spec';

/** Mistakes in a cluster of Cluster API's development provider (kubernetes-sigs/cluster-api v1.14.0 test/infrastructure/docker). */
export const DEV_MISTAKES: PlantedMistakes = {
  provider: 'dev',
  example: 'example-dev',
  mistakes: [
    {
      words: 'failure domains in another order than that of their names',
      object: 'DevCluster trial',
      at: 'spec.backend.docker.failureDomains.0.name',
      value: 'rack-5',
      found: ['TC-ADMIT-DEV-FAILURE-DOMAINS'],
    },
    {
      words: 'a failure domain that the cluster does not have',
      object: 'MachineDeployment trial-workers',
      at: 'spec.template.spec.failureDomain',
      value: 'rack-9',
      found: ['TC-TRAP-DEV-FAILURE-DOMAIN'],
    },
    {
      words: 'a time without a unit',
      object: 'DevMachineTemplate trial-workers',
      at: `${MACHINE}.backend.docker.bootstrapTimeout`,
      value: '600',
      found: ['TC-ADMIT-DEV-DURATION'],
    },
    {
      words: 'machines of another backend than their cluster',
      object: 'DevMachineTemplate trial-workers',
      at: `${MACHINE}.backend`,
      value: { inMemory: {} },
      found: ['TC-TRAP-DEV-BACKEND'],
    },
    { words: 'a backend beside that of the cluster', object: 'DevMachineTemplate trial-workers', at: `${MACHINE}.backend.inMemory`, value: {}, found: ['TC-TRAP-DEV-BACKEND'] },
    {
      words: 'a user, which the provider does not make',
      object: 'KubeadmConfigTemplate trial-workers',
      at: `${MACHINE}.users`,
      value: [{ name: 'admin' }],
      found: ['TC-TRAP-DEV-CLOUD-INIT'],
    },
    {
      words: 'instance data, which the provider does not fill in',
      object: 'KubeadmConfigTemplate trial-workers',
      at: `${MACHINE}.postKubeadmCommands`,
      value: ['echo {{ ds.meta_data.instance_id }}'],
      found: ['TC-TRAP-DEV-CLOUD-INIT'],
    },
    {
      words: 'a template that changes in place',
      object: 'DevMachineTemplate trial-workers',
      at: `${MACHINE}.backend.docker.customImage`,
      value: 'kindest/node:v1.35.0',
      found: ['TC-CHANGE-DEV-FIELD'],
      isChange: true,
    },
  ],
};
