import { testLives } from './app-life';

// The slow test has the other blueprints.
testLives(['vultr-starter']);
