import { readFileSync, writeFileSync } from 'node:fs';
import { lerConteudo } from './src/fiscal/ler.ts';
import { desenhar } from './src/console/documento/pdf.ts';
const V = { validar: () => ({ resultado: 'nao_verificado', esquema: null, motivo: null }) as const };
for (const f of process.argv.slice(2)) {
  const b = readFileSync(f);
  for (const p of lerConteudo({ bytes: b, nome: f }, { validador: V })) {
    if (p.resultado !== 'lida' || p.registro.classe !== 'documento') { console.log(f.slice(-40), p.resultado, (p as any).rejeicao?.codigo); continue; }
    const r = p.registro;
    const t0 = performance.now();
    const pdf = await desenhar({ bytes: p.bytes, codificacao: p.codificacao, contexto: { especie: r.especie, status: process.env.ST ?? r.statusProtocolo, homologacao: !!process.env.HOM, naoProvado: !!process.env.NP, titulo: r.especie, chave: r.chave } });
    const n = f.split('/').at(-1)!.slice(0, 8);
    writeFileSync(`/tmp/pdf/${n}.pdf`, pdf); console.log(n, r.especie, pdf.length, (performance.now() - t0).toFixed(0));
  }
}
