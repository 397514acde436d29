/** A reader in Go: structs whose fields, unlike plain ones, do not take a `null` for nothing. */
import { type Campo, NOMES, type Nome, REGISTROS, type Tipo } from './campos.ts';

function tipoDe(tipo: Tipo): string {
  if (typeof tipo === 'object') return 'um' in tipo ? `*${tipo.um}` : `[]${tipo.lista}`;
  return { integer: '*Inteiro', string: '*Texto', boolean: '*Logico', timestamp: '*string' }[tipo];
}

function escrita({ nome, tipo }: Campo, valor: string): string {
  if (typeof tipo === 'object')
    return 'um' in tipo ? `${valor}.escreve()` : `for _, um := range ${valor} { um.escreve() }`;
  if (tipo === 'timestamp') return `instante("${nome}", ${valor})`;
  const texto = {
    integer: `strconv.FormatInt(int64(*${valor}), 10)`,
    string: `string(*${valor})`,
    boolean: `strconv.FormatBool(bool(*${valor}))`,
  }[tipo];
  return `linha("${nome}", ${texto})`;
}

const struct = (nome: Nome) => `type ${nome} struct {
${REGISTROS[nome].map(({ nome: campo, tipo }, at) => `\tC${at} ${tipoDe(tipo)} \`json:"${campo}"\``).join('\n')}
}

func (de ${nome}) escreve() {
${REGISTROS[nome].map((campo, at) => `\t${escrita(campo, `de.C${at}`)}`).join('\n')}
}`;

export const GO = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

type Inteiro int64
type Texto string
type Logico bool

func (v *Inteiro) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(string(b), 10, 64)
	*v = Inteiro(n)
	return err
}

func (v *Texto) UnmarshalJSON(b []byte) error {
	if b[0] != '"' {
		return fmt.Errorf("no text: %s", b)
	}
	return json.Unmarshal(b, (*string)(v))
}

func (v *Logico) UnmarshalJSON(b []byte) error {
	if string(b) != "true" && string(b) != "false" {
		return fmt.Errorf("no boolean: %s", b)
	}
	*v = string(b) == "true"
	return nil
}

var saida = bufio.NewWriter(os.Stdout)

func linha(campo string, texto string) {
	saida.WriteString(campo + "=" + strings.NewReplacer("\\\\", "\\\\\\\\", "\\n", "\\\\n", "\\r", "\\\\r").Replace(texto) + "\\n")
}

func instante(campo string, valor *string) {
	if valor == nil {
		linha(campo, "null")
	} else {
		linha(campo, *valor)
	}
}

${NOMES.map(struct).join('\n\n')}

type escrito interface{ escreve() }

func main() {
	for i := 1; i < len(os.Args); i += 2 {
		bytes, err := os.ReadFile(os.Args[i+1])
		if err != nil {
			panic(err)
		}
		var de escrito
		switch os.Args[i] {
${NOMES.map((nome) => `\t\tcase "${nome}":\n\t\t\tde = &${nome}{}`).join('\n')}
		}
		if err := json.Unmarshal(bytes, de); err != nil {
			panic(err)
		}
		de.escreve()
	}
	saida.Flush()
}
`;
