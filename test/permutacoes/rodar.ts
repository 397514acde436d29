/** `npm run permutacoes`: ten times as many permutations as `npm test` tries, of another choice each day. */
process.env.PERMUTACOES ??= '1000';
process.env.SEMENTE ??= new Date().toISOString().slice(0, 10).replaceAll('-', '');
await import('../permutacoes.test.ts');
