import { testLives } from './app-life';

// A provider each; the slow test has the other blueprints.
testLives(['diy-cloud', 'vultr-starter']);
