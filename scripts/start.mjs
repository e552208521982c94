// `npm start` in a fresh clone: checks the version of Node, installs, builds and runs. Uses only Node's own modules and old
// syntax, so that an old Node can still print the error.
const [major, minor] = process.versions.node.split('.').map(Number);
const recentEnough = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
if (!recentEnough) {
  console.error(
    `Stagedoor needs Node 24 (20.19 and 22.12 or later work, too); this is ${process.versions.node}.`,
  );
  process.exit(1);
}

void import('./lib/run.mjs').then(async ({ fail }) => {
  try {
    const { prepare } = await import('./lib/prepare.mjs');
    await prepare();
  } catch (error) {
    fail(error);
  }
  // Runs the server in this process, so that signals reach it directly.
  await import('../apps/server/dist/main.js');
});
