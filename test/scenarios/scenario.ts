import { App } from 'cdk8s';

/** A tree whose manifests are kept as golden output. */
export type Scenario = (app: App) => void;
