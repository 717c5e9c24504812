import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { KubeadmCluster } from '../../../src/constructs/hosts/kubeadm-cluster';
import { KubeadmClusterProps } from '../../../src/constructs/hosts/kubeadm-cluster-props';
import { HaproxyHostsOptions } from '../../../src/constructs/hosts/load-balancer/haproxy';
import { KubeVipOptions } from '../../../src/constructs/hosts/load-balancer/kube-vip';
import { KubeadmLoadBalancer } from '../../../src/constructs/hosts/load-balancer/kubeadm-load-balancer';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { Manifest } from '../../support/clusters';
import { problemsOf, ReportedProblem } from '../../support/problems';

const ADDRESS = { vip: '192.168.10.10', subnet: '192.168.10.0/24', networkInterface: 'ens192' };

/** Three nodes of a control plane. */
export const MASTERS = [1, 2, 3].map((number) => ({ name: `master0${number}`, address: `192.168.10.2${number}` }));

/** Two machines that are load balancers. */
export const BALANCERS = [1, 2].map((number) => ({ name: `lb0${number}`, address: `192.168.10.1${number}` }));

/** HAProxy and keepalived on these two. */
export function hosts(options: Partial<HaproxyHostsOptions> = {}): KubeadmLoadBalancer {
  return KubeadmLoadBalancer.haproxyHosts({ ...ADDRESS, virtualRouterId: 51, hosts: BALANCERS, ...options });
}

/** kube-vip. */
export function kubeVip(options: Partial<KubeVipOptions> = {}): KubeadmLoadBalancer {
  return KubeadmLoadBalancer.kubeVip({ ...ADDRESS, image: 'registry.example.com/kube-vip:v1.0.0', ...options });
}

/** A cluster with three nodes of a control plane and two workers. */
export const PROPS: KubeadmClusterProps = {
  kubernetesVersion: '1.34.1',
  controlPlaneEndpoint: 'api.example.com:6443',
  loadBalancer: hosts(),
  controlPlaneNodes: MASTERS,
  workers: [{ name: 'worker01', address: '192.168.10.31' }, { name: 'worker02', address: '192.168.10.32' }],
};

/** A written file. */
export interface WrittenFile {
  readonly text: string;
  readonly mode: string;
}

/** Files of an app, by path. */
export type Written = { readonly [file: string]: WrittenFile };

/** Files of an app that a function fills. */
export function write(build: (app: GitOpsApp) => void): Written {
  const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'kubeadm-'));
  try {
    const app = new GitOpsApp({ outdir, quiet: true });
    build(app);
    app.synth();
    return Object.fromEntries(fs.readdirSync(outdir, { recursive: true, encoding: 'utf8' }).sort().flatMap((file) => {
      const full = path.join(outdir, file);
      const stat = fs.statSync(full);
      return stat.isFile() && !file.startsWith('.cdk8s-cluster-api') ? [[file, { text: fs.readFileSync(full, 'utf8'), mode: (stat.mode % 0o1000).toString(8) }]] : [];
    }));
  } finally {
    fs.rmSync(outdir, { recursive: true, force: true });
  }
}

/** Files of a cluster `ha`, by path below its folder. */
export function filesOf(props: Partial<KubeadmClusterProps> = {}, fill: (cluster: KubeadmCluster) => void = () => undefined): Written {
  const written = write((app) => fill(new KubeadmCluster(app, 'ha', { ...PROPS, ...props })));
  return Object.fromEntries(Object.entries(written).map(([file, content]) => [file.replace(/^ha\//, ''), content]));
}

/** Problems of a cluster `ha`. */
export function problems(props: Partial<KubeadmClusterProps> = {}, fill: (cluster: KubeadmCluster) => void = () => undefined): ReportedProblem[] {
  return problemsAmong((app) => fill(new KubeadmCluster(app, 'ha', { ...PROPS, ...props })));
}

/** Problems of an app that writes files. */
export function problemsAmong(build: (app: GitOpsApp) => void): ReportedProblem[] {
  const app = new GitOpsApp({ outdir: path.join(os.tmpdir(), 'not-written'), quiet: true });
  build(app);
  return problemsOf(app);
}

/** The documents of a YAML file. */
export function documents(file: WrittenFile): Manifest[] {
  return parseAllDocuments(file.text).map((document) => document.toJS() as Manifest);
}
