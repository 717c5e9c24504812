export * from './infrastructure';
export * from './machine';
export * from './provider';
