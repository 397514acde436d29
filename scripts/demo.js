// Plain JavaScript, so that an old Node gets a sentence instead of a stack trace. The tour itself is demo.ts.
const MINIMUM_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < MINIMUM_MAJOR) {
  console.error(
    `A demonstração precisa do Node ${MINIMUM_MAJOR} ou mais novo; este é o ${process.versions.node}. ` +
      'Rode "npm ci" e depois "npm run demo": o npm usa o Node que acompanha o projeto.',
  );
  process.exitCode = 1;
} else {
  await import('./demo.ts');
}
