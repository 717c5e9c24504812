import { testLives } from './app-life';
import { BLUEPRINTS } from '../../../src/cli/init/app-files';

testLives(Object.keys(BLUEPRINTS));
