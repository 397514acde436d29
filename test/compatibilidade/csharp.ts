/** A reader in C#, as programs of the .NET Framework have it: `DataContractJsonSerializer`. */
import { type Campo, NOMES, type Nome, REGISTROS, type Tipo } from './campos.ts';

function tipoDe(tipo: Tipo): string {
  if (typeof tipo === 'object') return 'um' in tipo ? tipo.um : `List<${tipo.lista}>`;
  return { integer: 'long', string: 'string', boolean: 'bool', timestamp: 'string' }[tipo];
}

function escrita({ nome, tipo }: Campo, valor: string): string {
  if (typeof tipo === 'object')
    return 'um' in tipo ? `Escreve(${valor});` : `foreach (var um in ${valor}) Escreve(um);`;
  const escreve = { integer: 'Inteiro', string: 'Texto', boolean: 'Logico', timestamp: 'Instante' }[tipo];
  return `${escreve}("${nome}", ${valor});`;
}

const classe = (nome: Nome) => `[DataContract] public class ${nome} {
${REGISTROS[nome]
  .map(
    (campo, at) =>
      `  [DataMember(Name = "${campo.nome}", IsRequired = ${!campo.opcional})] public ${tipoDe(campo.tipo)} C${at};`,
  )
  .join('\n')}
}`;

const escreve = (nome: Nome) => `  static void Escreve(${nome} de) {
${REGISTROS[nome].map((campo, at) => `    ${escrita(campo, `de.C${at}`)}`).join('\n')}
  }`;

export const CSHARP = `using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;

${NOMES.map(classe).join('\n')}

public static class Leitor {
  static readonly TextWriter saida = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
  static void Linha(string campo, string texto) {
    saida.Write(campo + "=" + texto.Replace("\\\\", "\\\\\\\\").Replace("\\n", "\\\\n").Replace("\\r", "\\\\r") + "\\n");
  }
  static void Inteiro(string campo, long valor) { Linha(campo, valor.ToString()); }
  static void Logico(string campo, bool valor) { Linha(campo, valor ? "true" : "false"); }
  static void Texto(string campo, string valor) {
    if (valor == null) throw new Exception(campo + " is null");
    Linha(campo, valor);
  }
  static void Instante(string campo, string valor) { Linha(campo, valor ?? "null"); }
${NOMES.map(escreve).join('\n')}
  static T Ler<T>(string caminho) {
    using (var arquivo = File.OpenRead(caminho)) return (T) new DataContractJsonSerializer(typeof(T)).ReadObject(arquivo);
  }
  public static void Main(string[] args) {
    for (int i = 0; i < args.Length; i += 2) {
      switch (args[i]) {
${NOMES.map((nome) => `        case "${nome}": Escreve(Ler<${nome}>(args[i + 1])); break;`).join('\n')}
      }
    }
    saida.Flush();
  }
}
`;
