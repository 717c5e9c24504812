/**
 * Writes the entry points of a cluster with a window, for conformance/internal/gitops/windows_test.go.
 *
 *   node -r ./scripts/esbuild-register.js scripts/conformance/windows/main.ts OUTDIR REPOSITORY REVISION
 *
 * REPOSITORY is the address of the Git repository, and REVISION a value that the folder of the cluster has.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { App, Chart, Duration, Yaml } from 'cdk8s';
import { TimeWindow, Weekday } from '../../../src/constructs/contracts/delivery/time-window';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';

const [outdir, url, revision] = process.argv.slice(2);
const entryPoints = new FluxEntryPoints({
  sourceName: 'flux-system',
  path: 'tenants',
  retryInterval: Duration.seconds(2),
  windowedSource: { url, revision: 'main', kubectlImage: 'registry.example.com/kubectl:v1.35.4' },
});
const window = TimeWindow.weekly({ days: [Weekday.SATURDAY], from: '22:00', duration: Duration.hours(6), timeZone: 'Europe/Zurich' });
const target = { name: 'tenant-acme.acme', folder: 'clusters/tenant-acme/acme', after: [], infrastructureKinds: [], changeWindows: [window] };
const chart = new Chart(new App(), 'entry-points', { disableResourceNameHashes: true });
entryPoints.addEntry(chart, target);
entryPoints.addShared(chart, [target]);

write('flux/all.yaml', chart.toJson());
const metadata = { name: 'settings', namespace: 'tenant-acme' };
write(`${target.folder}/cluster.yaml`, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { revision } }]);

function write(file: string, objects: object[]): void {
  const place = path.join(outdir, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, Yaml.stringify(...objects));
}
