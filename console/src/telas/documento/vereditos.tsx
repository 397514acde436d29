import { Group, Paper, SimpleGrid, Text, ThemeIcon } from '@mantine/core';
import type { DocumentoAberto } from './aberto.ts';
import { CORES, ICONES } from './graus.ts';
import { PartesDaProva } from './prova.tsx';

const NOMES = { prova: 'Prova', esquema: 'Esquema', protocolo: 'Protocolo' } as const;

/** Words of the verdicts that the server keeps. A schema that does not fit is no fault of what was authorised. */
const GRAUS: Readonly<Record<string, keyof typeof CORES>> = {
  sefaz: 'certo',
  assinada: 'certo',
  coerente: 'aviso',
  valido: 'certo',
  confere: 'certo',
  diverge: 'errado',
  invalido: 'aviso',
};

const grauDe = (resultado: string) => GRAUS[resultado] ?? 'nada';

/** What a kind has not: a coupon is authorised by its own device, and few cities sign, publish a schema or give protocols. */
const DE_OUTRA_ESPECIE: Readonly<Record<string, readonly string[]>> = {
  '59': ['protocolo/ausente', 'esquema/nao_verificado'],
  NFSe: ['protocolo/ausente', 'protocolo/sem_digest', 'esquema/nao_verificado'],
};

/** What was checked when the document came, in words; nothing that does not concern its kind. */
export function Vereditos({
  vereditos,
  modelo,
}: {
  vereditos: NonNullable<DocumentoAberto['vereditos']>;
  modelo: string;
}) {
  const alheios = DE_OUTRA_ESPECIE[modelo] ?? [];
  const quais = (['prova', 'esquema', 'protocolo'] as const).filter(
    (qual) => !alheios.includes(`${qual}/${vereditos[qual].resultado}`),
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: quais.length }} spacing="sm" className="sem-impressao">
      {quais.map((qual) => {
        const { resultado, texto, detalhe } = vereditos[qual];
        const grau = grauDe(resultado);
        const Icone = ICONES[grau];
        return (
          <Paper key={qual} className="folha" p="sm">
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <ThemeIcon variant="light" color={CORES[grau]} radius="xl" size="md">
                <Icone size={16} aria-hidden />
              </ThemeIcon>
              <div style={{ minWidth: 0 }}>
                <Text size="xs" c="dimmed">
                  {NOMES[qual]}
                </Text>
                <Text size="sm" fw={600}>
                  {texto}
                </Text>
                {qual === 'prova' && <PartesDaProva prova={vereditos.prova} />}
                {detalhe && (
                  <Text size="xs" c="dimmed" className="quebra">
                    {detalhe}
                  </Text>
                )}
              </div>
            </Group>
          </Paper>
        );
      })}
    </SimpleGrid>
  );
}
