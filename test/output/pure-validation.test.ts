import { ApiObject, App, Testing } from 'cdk8s';
import { IConstruct } from 'constructs';
import { WARNINGS } from '../../src/constructs/app/problems/warnings';
import { prepare } from '../../src/constructs/app/synth/synthesis';
import { tenantCharts } from '../../src/constructs/app/tenant-trees';
import { GitOpsApp } from '../../src/constructs/repository/gitops-app';
import { SCENARIOS } from '../scenarios';
import { exampleNames, loadExample } from '../support/examples';
import { sample } from '../support/sample';

beforeEach(() => {
  jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** All constructs of an app, those for tenants too, each object with its manifest. */
function treeOf(app: App): string[] {
  const all = app.node.findAll().flatMap((construct) => [construct, ...tenantCharts(construct).flatMap(({ node }) => node.findAll())]);
  return all.map((construct) => `${construct.node.path} ${ApiObject.isApiObject(construct) ? JSON.stringify(construct.toJson()) : ''}`);
}

/** The app that an example makes, instead of writing it. */
function appOf(example: string): App {
  const apps: App[] = [];
  [App, GitOpsApp].forEach(({ prototype }) => jest.spyOn(prototype, 'synth').mockImplementation(function (this: unknown) {
    apps.push(this as App);
  }));
  loadExample(example);
  expect(apps).toHaveLength(1);
  return apps[0];
}

function expectUnchanged(app: App): void {
  prepare(app);
  const before = treeOf(app);
  expect(app.node.findAll().flatMap(({ node }: IConstruct) => node.validate())).toBeDefined();
  expect(treeOf(app)).toEqual(before);
  prepare(app);
  expect(treeOf(app)).toEqual(before);
}

describe('validations, and a second preparation, change nothing', () => {
  test.each(sample(Object.keys(SCENARIOS), 5))('in the scenario %s', (name) => {
    const app = Testing.app();
    SCENARIOS[name](app);
    expectUnchanged(app);
  });

  test.each(sample(exampleNames(), 4))('in the example %s', (name) => {
    expectUnchanged(appOf(name));
  });
});

test('the comparison notices a validation that creates an object', () => {
  const app = Testing.app();
  SCENARIOS[Object.keys(SCENARIOS)[0]](app);
  const chart = app.charts[0];
  chart.node.addValidation({
    validate: () => {
      new ApiObject(chart, 'late', { apiVersion: 'v1', kind: 'ConfigMap' });
      return [];
    },
  });
  expect(() => expectUnchanged(app)).toThrow('late');
});
