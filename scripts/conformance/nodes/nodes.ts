import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { BootstrapQuestion, ConfigMaps, hostCases, MachineCase, tenantCases } from './machine-cases';
import { KubeadmCluster } from '../../../src/constructs/hosts/kubeadm-cluster';
import { KubeadmLoadBalancer } from '../../../src/constructs/hosts/load-balancer/kubeadm-load-balancer';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { KUBERNETES_RELEASES, minorOf } from '../../../src/manifests/values/kubernetes-releases';
import { runExample } from '../../examples/run-example';
import { RunOptions } from '../arguments';
import { GoProgram } from '../go-program';
import { kamajiProgram } from '../kamaji/kamaji-proof';

const CLUSTER_API = path.resolve(__dirname, '..', '..', '..', 'conformance', 'webhooks', 'clusterapi');

/** The example of a cluster of hosts, the folder that it writes, and the version of Kubernetes in it. */
const EXAMPLE = { name: 'nifcloud-ha', folder: 'nifcloud-ha', version: 'v1.34.1' };

/**
 * Asks kubeadm and kubelets of each minor about the machines of tenants and of clusters of hosts.
 *
 * @returns the exit code
 */
export async function nodes(program: GoProgram, { minors, passedOn }: RunOptions): Promise<number> {
  const unknown = minors.filter((minor) => !KUBERNETES_RELEASES.map(minorOf).includes(minor));
  if (unknown.length > 0) throw new Error(`no machine has Kubernetes ${unknown.join(' or ')}: name some of ${KUBERNETES_RELEASES.map(minorOf).join(', ')}`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conformance-nodes-'));
  try {
    const kamaji = await kamajiProgram();
    const bootstrap = new GoProgram(CLUSTER_API, 'bootstrapdata', './bootstrapdata');
    bootstrap.build();
    const all = [
      ...tenantCases({
        bootstrapData: (machines: readonly BootstrapQuestion[]) => bootstrap.ask<{ readonly data: string }>(machines).map(({ data }) => data),
        uploads: (controlPlanes) => kamaji.ask<ConfigMaps>(controlPlanes, 'uploads'),
      }),
      ...KUBERNETES_RELEASES.flatMap((release) => hostCases(release, writeHosts(path.join(folder, release), release.slice(1)))),
      ...exampleCases(folder),
    ];
    const cases = all.filter(({ version }) => minors.length === 0 || minors.includes(minorOf(version)));
    const file = path.join(folder, 'machines.jsonl');
    fs.writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
    return await program.run([...passedOn, `--machines=${file}`]);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function exampleCases(folder: string): MachineCase[] {
  const outdir = path.join(folder, EXAMPLE.name);
  if (runExample(EXAMPLE.name, outdir) !== 0) throw new Error(`the example ${EXAMPLE.name} cannot be run; "npx projen compile" makes the library that it uses`);
  return hostCases(EXAMPLE.version, path.join(outdir, EXAMPLE.folder));
}

/** Writes a cluster of hosts whose kubelets differ from each other, and returns its folder. */
function writeHosts(outdir: string, kubernetesVersion: string): string {
  const app = new GitOpsApp({ outdir, quiet: true });
  new KubeadmCluster(app, 'hosts', {
    kubernetesVersion,
    controlPlaneEndpoint: 'api.example.com:6443',
    loadBalancer: KubeadmLoadBalancer.kubeVip({
      vip: '192.168.10.10', subnet: '192.168.10.0/24', networkInterface: 'ens192', image: 'registry.example.com/kube-vip:v1.0.1',
    }),
    controlPlaneNodes: [1, 2, 3].map((number) => ({ name: `master0${number}`, address: `192.168.10.2${number}` })),
    workers: [{ name: 'worker01', address: '192.168.10.31', labels: { tier: 'general' }, kubelet: { maxPods: 50, configuration: { serializeImagePulls: false } } }],
    kubelet: { systemReserved: { cpu: '200m', memory: '512Mi' } },
  });
  app.synth();
  return path.join(outdir, 'hosts');
}
