import { BuiltInKind } from '../../manifests/schema/built-in-kind';
import { StructuralSchema } from '../../manifests/schema/structural-schema';

const STRING: StructuralSchema = { type: 'string' };
const STRINGS: StructuralSchema = { type: 'object', additionalProperties: STRING };

/** Anything else than a duration of Prometheus is refused. */
const DURATION: StructuralSchema = {
  type: 'string', pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$',
};

/** Prometheus' rules, as example/prometheus-operator-crd of prometheus-operator/prometheus-operator v0.93.0 has them, cut to those that alert. */
export const MONITORING_KINDS: ReadonlyMap<string, BuiltInKind> = new Map([['monitoring.coreos.com/v1/PrometheusRule', {
  metadata: { scope: 'Namespaced' },
  schema: {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        properties: {
          groups: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string', minLength: 1 },
                rules: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['alert', 'expr'],
                    properties: { alert: STRING, annotations: STRINGS, expr: STRING, for: DURATION, labels: STRINGS },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
}]]);
