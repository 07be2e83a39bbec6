// What tests/check_pages runs: pages in FOLDER, opened in a browser and used. Pictures of them for
// a person to look at go into SCREENSHOTS.
//
//   node pages.mjs FOLDER SCREENSHOTS [PATTERN]        PATTERN: of the names of tests
import { launch, Pages } from './browser.mjs';
import { finish } from './suite.mjs';
import { testAccess } from './access.mjs';
import { testControls } from './controls.mjs';
import { testFigures } from './figures.mjs';
import { testFiles } from './files.mjs';
import { testNames } from './names.mjs';
import { takePictures } from './pictures.mjs';

const [folder, shots] = process.argv.slice(2);
const browser = await launch();
const pages = new Pages(browser, folder);
await testFiles(folder);
await testFigures(pages, folder);
await testNames(pages, folder);
await testAccess(pages);
await takePictures(pages, shots);
await testControls(pages);
await browser.close();
finish();
