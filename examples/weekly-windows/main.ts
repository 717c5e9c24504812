// Two tenants on one Flux. Commits reach `acme`, which is in production, in the night from Saturday to Sunday only; `trial` sleeps when no person
// works. docs/guides/change-windows.md and docs/hibernation.md go through it.
//
// In `dist/flux/all.yaml` is the source of the window, with the CronJobs that open and close it. `clock.txt` holds the instant that decides if
// `trial` sleeps: a pipeline moves it on, and commits it with the output.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { Duration, Size } from 'cdk8s';
import {
  Cilium, FluxDelivery, FluxEntryPoints, GitOpsApp, HibernationSchedule, KamajiControlPlane, KubevirtCloudControllerManager,
  KubevirtInfrastructure, KubevirtLoadBalancers, KubevirtMachine, PoolSize, RootDisk, TenantCluster, TimeWindow, Versions, Weekday,
} from 'cdk8s-cluster-api';

const app = new GitOpsApp({
  entryPoints: new FluxEntryPoints({
    sourceName: 'flux-system',
    path: 'dist',
    windowedSource: {
      url: 'ssh://git@git.example.com/platform/tenants.git',
      revision: 'main',
      // The Secret of the source `flux-system`, which `flux bootstrap` made.
      secretName: 'flux-system',
      kubectlImage: 'registry.example.com/tools/kubectl:v1.35.4',
    },
  }),
});

const page = {
  kubernetesVersion: '1.35.4',
  versions: Versions.of('2026.11'),
  controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
  infrastructure: new KubevirtInfrastructure({
    cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.none() }),
  }),
  cni: new Cilium(),
  delivery: new FluxDelivery(),
};
const machine = new KubevirtMachine({
  cpu: 4,
  memory: Size.gibibytes(16),
  rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04-kubernetes:1.35.4' }),
});

const acme = new TenantCluster(app, 'acme', {
  ...page,
  namespace: 'tenant-acme',
  changeWindows: [TimeWindow.weekly({ days: [Weekday.SATURDAY], from: '22:00', duration: Duration.hours(6), timeZone: 'Europe/Zurich' })],
});
acme.addNodePool('general', { machine, size: PoolSize.between(2, 6) });

const workingDays = [Weekday.MONDAY, Weekday.TUESDAY, Weekday.WEDNESDAY, Weekday.THURSDAY, Weekday.FRIDAY];
const workingHours = HibernationSchedule.of({
  awake: [TimeWindow.weekly({ days: workingDays, from: '07:00', duration: Duration.hours(12), timeZone: 'Europe/Zurich' })],
});

// `npx tsx main.ts --advance` is what the pipeline runs.
const clock = path.join(__dirname, 'clock.txt');
if (process.argv.includes('--advance')) {
  fs.writeFileSync(clock, `${workingHours.advance(fs.readFileSync(clock, 'utf8'), new Date().toISOString())}\n`);
}

const trial = new TenantCluster(app, 'trial', { ...page, namespace: 'tenant-trial', hibernation: workingHours.stateAt(fs.readFileSync(clock, 'utf8')) });
trial.addNodePool('general', { machine, size: PoolSize.fixed(2) });

app.synth();
