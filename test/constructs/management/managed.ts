import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { App } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { ArgoCdDelivery } from '../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { CdiInstallation } from '../../../src/constructs/management/cdi-installation';
import { EtcdDataStoreOptions } from '../../../src/constructs/management/etcd-data-store';
import { KamajiDataStore } from '../../../src/constructs/management/kamaji-data-store';
import { KamajiInstallation } from '../../../src/constructs/management/kamaji-installation';
import { KubevirtInstallation } from '../../../src/constructs/management/kubevirt-installation';
import { ManagementCluster, ManagementClusterProps } from '../../../src/constructs/management/management-cluster';
import { OperatorManifest } from '../../../src/constructs/management/operator-manifest';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { readFiles } from '../../support/examples';
import { problemsOf, ReportedProblem } from '../../support/problems';

/** A manifest as it is written. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Written = any;

/** Objects for the management cluster `management`, by the path of the file below its folder, lists of files left out. */
export interface Output {
  readonly [file: string]: Written[];
}

/** Deliveries that can install into the cluster that they are in. */
export const FLUX = new FluxDelivery({ manifestSource: { name: 'fleet', path: 'clusters' } });
export const ARGO_CD = new ArgoCdDelivery({ manifestSource: { repoUrl: 'https://git.example.com/fleet.git', targetRevision: 'main' } });

/** Operators without a file in this repository. */
export const REMOTE = OperatorManifest.release();

/** Writes a management cluster, and reads what was written. */
export function outputOf(props: Partial<ManagementClusterProps> = {}): Output {
  const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'management-'));
  try {
    const app = new GitOpsApp({ outdir, quiet: true });
    manage(app, props);
    app.synth();
    const folder = path.join(outdir, 'clusters', 'flux-system', 'management');
    const files = readFiles(folder);
    const isList = (file: string) => file.endsWith('kustomization.yaml') && (!file.startsWith('delivered/') || file.replace('kustomization', 'manifests') in files);
    return Object.fromEntries(Object.entries(files).filter(([file]) => !isList(file))
      .map(([file, text]) => [file, parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS())]));
  } finally {
    fs.rmSync(outdir, { recursive: true, force: true });
  }
}

/** A Kamaji with one etcd, `default`. */
export function withEtcd(options: EtcdDataStoreOptions = {}): Partial<ManagementClusterProps> {
  return { kamaji: KamajiInstallation.chart({ dataStores: [KamajiDataStore.etcd('default', options)] }) };
}

/** Makes a management cluster in Flux's namespace. */
export function manage(app: App, props: Partial<ManagementClusterProps> = {}): ManagementCluster {
  return new ManagementCluster(app, 'management', {
    namespace: 'flux-system',
    delivery: FLUX,
    kubevirt: KubevirtInstallation.operator({ operator: REMOTE }),
    cdi: CdiInstallation.operator({ operator: REMOTE }),
    ...props,
  });
}

/** Problems that synthesis reports. */
export function refused(props: Partial<ManagementClusterProps>, app: App = new GitOpsApp({ outdir: os.tmpdir(), quiet: true })): ReportedProblem[] {
  manage(app, props);
  return problemsOf(app);
}

/** The objects that deliver, of one kind, by name. */
export function delivering(output: Output, kind: string): { readonly [name: string]: Written } {
  return Object.fromEntries(deliveringAll(output).filter((object) => object.kind === kind).map((object) => [object.metadata.name, object]));
}

/** All objects that deliver. */
export function deliveringAll(output: Output): Written[] {
  return Object.entries(output).filter(([file]) => !file.startsWith('delivered/')).flatMap(([, written]) => written);
}

/** Manifests that are delivered under a name. */
export function manifestsOf(output: Output, name: string): Written[] {
  return output[`delivered/${name}/manifests.yaml`] ?? [];
}
