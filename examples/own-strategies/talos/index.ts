export * from './bootstrap';
export * from './control-plane';
export type { TalosFile, TalosOptions } from './machine-config';
export * from './provider';
