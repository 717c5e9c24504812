import { Size } from 'cdk8s';
import { ManifestValidation } from '../../../src/constructs/app/validation/manifest-validation';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { addCluster, addWhatIsShared, clusterNames, ENTRY_POINTS } from '../../support/many-clusters';

/** Number of different outputs. */
export const VARIANTS = 4;

/** Writes an app that changes from round to round: clusters and pools come and go, versions change, folders are told of in another way. */
export function writeApp(outdir: string, round: number): void {
  const variant = round % VARIANTS;
  // Some of the changes between rounds would be refused.
  const validation = ManifestValidation.none('what is written is what matters');
  const app = new GitOpsApp({ outdir, quiet: true, validation, entryPoints: variant < 2 ? ENTRY_POINTS.flux : undefined });
  if (variant !== 1) addWhatIsShared(app);
  for (const name of clusterNames(3)) {
    const tenant = addCluster(app, name, { kubernetesVersion: variant === 2 ? '1.35.3' : '1.35.4', decommission: variant === 3 && name === 'c0' });
    for (let pool = 0; pool < variant; pool++) {
      tenant.addNodePool(`pool-${pool}`, {
        machine: new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(4 + variant), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.35.4' }) }),
        size: PoolSize.fixed(1 + variant),
      });
    }
  }
  app.synth();
}
