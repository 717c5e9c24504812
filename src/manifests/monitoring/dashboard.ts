import { AlertedCluster, clusterLabels } from './prometheus-rule';
import { Alert, Graph } from '../rules/alerts/alert';
import { contentHash } from '../values/content-hash';

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const WIDTH = 24;
const GRAPHS_IN_ROW = 3;
const GRAPH_HEIGHT = 7;
const TABLE_HEIGHT = 8;

/** Version of the model of dashboards that is written; Grafana migrates older ones. */
const SCHEMA_VERSION = 39;

/**
 * A dashboard of Grafana: the alerts of a cluster that fire, and the values that alerts watch, with their limits.
 *
 * Source: grafana/grafana docs/sources/visualizations/dashboards/build-dashboards/view-dashboard-json-model/index.md.
 *
 * @param cluster the cluster
 * @param alerts its alerts
 */
export function clusterDashboard(cluster: AlertedCluster, alerts: readonly Alert[]): object {
  const graphs = [...new Map(alerts.flatMap(({ graph }) => (graph ? [[graph.title, graph] as const] : []))).values()];
  const { namespace, name } = cluster;
  return {
    uid: contentHash({ cluster: { namespace, name } }),
    title: `Cluster ${namespace}/${name}`,
    tags: ['cluster-api'],
    schemaVersion: SCHEMA_VERSION,
    editable: false,
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: [firingAlerts(cluster), ...graphs.map(timeSeries)],
  };
}

function firingAlerts(cluster: AlertedCluster): object {
  const labels = Object.entries(clusterLabels(cluster)).map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(',');
  return {
    id: 1,
    type: 'table',
    title: 'Alerts',
    datasource: DATASOURCE,
    gridPos: { x: 0, y: 0, w: WIDTH, h: TABLE_HEIGHT },
    targets: [{ refId: 'A', datasource: DATASOURCE, expr: `ALERTS{alertstate="firing",${labels}}`, format: 'table', instant: true }],
  };
}

function timeSeries({ title, lines, unit, limit }: Graph, index: number): object {
  const width = WIDTH / GRAPHS_IN_ROW;
  return {
    id: index + 2,
    type: 'timeseries',
    title,
    datasource: DATASOURCE,
    gridPos: { x: (index % GRAPHS_IN_ROW) * width, y: TABLE_HEIGHT + Math.floor(index / GRAPHS_IN_ROW) * GRAPH_HEIGHT, w: width, h: GRAPH_HEIGHT },
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(limit !== undefined && {
          custom: { thresholdsStyle: { mode: 'dashed' } },
          thresholds: { mode: 'absolute', steps: [{ color: 'text', value: null }, { color: 'red', value: limit }] },
        }),
      },
      overrides: [],
    },
    targets: lines.map(([legendFormat, expr], position) => (
      { refId: String.fromCharCode(65 + position), datasource: DATASOURCE, expr, legendFormat })),
  };
}
