/** A reader in Java: records filled by Jackson, which refuses `null` and other types for a `long` or a `boolean`. */
import { type Campo, NOMES, type Nome, REGISTROS, type Tipo } from './campos.ts';

function tipoDe(tipo: Tipo): string {
  if (typeof tipo === 'object') return 'um' in tipo ? tipo.um : `List<${tipo.lista}>`;
  return { integer: 'long', string: 'String', boolean: 'boolean', timestamp: 'String' }[tipo];
}

function escrita({ nome, tipo }: Campo, valor: string): string {
  if (typeof tipo === 'object')
    return 'um' in tipo ? `escreve(${valor});` : `for (var um : ${valor}) escreve(um);`;
  if (tipo === 'string') return `texto("${nome}", ${valor});`;
  return `linha("${nome}", String.valueOf(${valor}));`;
}

const record = (nome: Nome) =>
  `  record ${nome}(${REGISTROS[nome]
    .map(
      ({ nome: campo, tipo, opcional }, at) =>
        `@JsonProperty(value = "${campo}", required = ${!opcional}) ${tipoDe(tipo)} c${at}`,
    )
    .join(', ')}) {}`;

const escreve = (nome: Nome) => `  static void escreve(${nome} de) {
${REGISTROS[nome].map((campo, at) => `    ${escrita(campo, `de.c${at}()`)}`).join('\n')}
  }`;

export const JAVA = `import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

public class Leitor {
${NOMES.map(record).join('\n')}
  static final StringBuilder saida = new StringBuilder();
  static void linha(String campo, String texto) {
    saida.append(campo).append('=')
      .append(texto.replace("\\\\", "\\\\\\\\").replace("\\n", "\\\\n").replace("\\r", "\\\\r")).append('\\n');
  }
  static void texto(String campo, String valor) {
    if (valor == null) throw new IllegalStateException(campo + " is null");
    linha(campo, valor);
  }
${NOMES.map(escreve).join('\n')}
  public static void main(String[] args) throws Exception {
    var mapper = JsonMapper.builder()
      .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
      .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
      .build();
    for (int i = 0; i < args.length; i += 2) {
      var arquivo = new File(args[i + 1]);
      switch (args[i]) {
${NOMES.map((nome) => `        case "${nome}" -> escreve(mapper.readValue(arquivo, ${nome}.class));`).join('\n')}
      }
    }
    new PrintStream(System.out, true, StandardCharsets.UTF_8).print(saida);
  }
}
`;
