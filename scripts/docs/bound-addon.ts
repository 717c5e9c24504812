import * as cdk8s from 'cdk8s';
import { Chart, Testing } from 'cdk8s';
import * as ts from 'typescript';
import * as library from '../../src';
import { Addon } from '../../src/constructs/contracts/addon';
import { GitManifests } from '../../src/constructs/contracts/git-manifests';
import { HelmChart } from '../../src/constructs/contracts/helm-chart';

/** Deliveries of an addon in a tenant. */
export interface BoundAddon {
  readonly addon: Addon;
  readonly charts: readonly HelmChart[];
  readonly gitManifests: readonly GitManifests[];
  /** Its own objects, as `Kind name`. */
  readonly objects: readonly string[];
}

/** Runs the sample of an addon, and binds what it makes. */
export function boundAddon(name: string, sample: string): BoundAddon {
  const addon = addonIn(name, sample);
  const tenant = new Chart(Testing.app(), 'tenant', { disableResourceNameHashes: true });
  const { charts = [], gitManifests = [] } = addon.bind(tenant, acme()._context);
  const objects = (Testing.synth(tenant) as { kind: string; metadata: { name: string } }[]).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return { addon, charts, gitManifests, objects };
}

/** The cluster whose versions and addresses the addon sees. */
function acme(): library.TenantCluster {
  return new library.TenantCluster(Testing.app(), 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new library.KamajiControlPlane({ replicas: 2 }),
    infrastructure: new library.KubevirtInfrastructure(),
    cni: new library.Cilium(),
    delivery: new library.FluxDelivery(),
  });
}

function addonIn(name: string, sample: string): Addon {
  const type = library[name as 'CertManager'];
  let made: Addon | undefined;
  class Recorded extends type {
    public constructor(props?: object) {
      super(props);
      // eslint-disable-next-line @typescript-eslint/no-this-alias -- the addon that the sample makes is what is looked for
      made = this;
    }
  }
  const scope: Record<string, unknown> = {
    ...Object.fromEntries(Object.keys(library).map((key) => [key, library[key as keyof typeof library]])),
    ...cdk8s,
    [name]: Recorded,
    acme: { addAddon: () => undefined },
    app: Testing.app(),
  };
  const body = ts.transpileModule(sample, { compilerOptions: { target: ts.ScriptTarget.ES2022 } }).outputText;
  new Function(...Object.keys(scope), body)(...Object.values(scope));
  if (!made) throw new Error(`${name}: its sample does not make one`);
  return made;
}
