/*
 * Native baseline of the fiscal core: what a program in C does with libxml2 and OpenSSL for each document, in one
 * thread, everything loaded and compiled before the clock starts.
 *
 *   nucleo schema.xsd rounds mode file...      mode: forma | esquema | assinatura
 *
 * forma: parse. esquema: parse and validate. assinatura: parse, validate, canonicalize infNFe and SignedInfo, SHA-1,
 * compare, RSA; certificates are kept once read. Prints seconds of processor time of the shortest round. Any document that
 * does not pass ends the program: a baseline that skips work is none.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <libxml/c14n.h>
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PARSE, SCHEMA, SIGNATURE };

struct file {
  const char *name;
  char *bytes;
  size_t length;
};

static void die(const char *what, const char *name) {
  fprintf(stderr, "%s: %s\n", what, name);
  exit(1);
}

static struct file load(const char *name) {
  struct file file = {name, NULL, 0};
  FILE *in = fopen(name, "rb");
  if (!in) die("cannot open", name);
  fseek(in, 0, SEEK_END);
  file.length = (size_t)ftell(in);
  rewind(in);
  file.bytes = malloc(file.length + 1);
  if (fread(file.bytes, 1, file.length, in) != file.length) die("cannot read", name);
  fclose(in);
  return file;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- signature ---- */

static xmlNodePtr child(xmlNodePtr parent, const char *name) {
  for (xmlNodePtr n = parent ? parent->children : NULL; n; n = n->next)
    if (n->type == XML_ELEMENT_NODE && !strcmp((const char *)n->name, name)) return n;
  return NULL;
}

/* Nodes to canonicalize carry a mark: asking whether one is inside costs nothing. */
static void mark(xmlNodePtr node, void *value) {
  node->_private = value;
  for (xmlAttrPtr a = node->type == XML_ELEMENT_NODE ? node->properties : NULL; a; a = a->next) a->_private = value;
  if (node->type == XML_ELEMENT_NODE)
    for (xmlNodePtr n = node->children; n; n = n->next) mark(n, value);
}

static int is_visible(void *data, xmlNodePtr node, xmlNodePtr parent) {
  if (node->type == XML_NAMESPACE_DECL) return parent && parent->_private == data;
  if (node->type == XML_ATTRIBUTE_NODE) return parent && parent->_private == data;
  return node->_private == data;
}

static xmlBufferPtr canonical(xmlDocPtr doc, xmlNodePtr node, void *value) {
  xmlBufferPtr out = xmlBufferCreate();
  xmlOutputBufferPtr writer = xmlOutputBufferCreateBuffer(out, NULL);
  mark(node, value);
  if (xmlC14NExecute(doc, is_visible, value, XML_C14N_1_0, NULL, 0, writer) < 0) die("c14n", "?");
  xmlOutputBufferClose(writer);
  return out;
}

/* Base64 text of an element to bytes; returns the length. */
static int decoded(xmlNodePtr node, unsigned char *out, int capacity) {
  static unsigned char text[65536];
  const char *in = node && node->children ? (const char *)node->children->content : "";
  int length = 0, padding = 0;
  for (; *in; in++) {
    if (isspace((unsigned char)*in)) continue;
    if (length >= (int)sizeof text - 4) return -1;
    text[length++] = (unsigned char)*in;
  }
  if (length / 4 * 3 > capacity || length % 4) return -1;
  while (padding < 2 && length > padding && text[length - 1 - padding] == '=') padding++;
  int bytes = EVP_DecodeBlock(out, text, length);
  return bytes < 0 ? -1 : bytes - padding;
}

struct certificate {
  char *text;
  EVP_PKEY *key;
};
static struct certificate *known;
static int known_count;

static EVP_PKEY *key_of(xmlNodePtr node) {
  const char *text = node && node->children ? (const char *)node->children->content : "";
  for (int i = 0; i < known_count; i++)
    if (!strcmp(known[i].text, text)) return known[i].key;
  static unsigned char der[49152];
  const unsigned char *at = der;
  int length = decoded(node, der, sizeof der);
  X509 *certificate = length > 0 ? d2i_X509(NULL, &at, length) : NULL;
  if (!certificate) return NULL;
  known = realloc(known, sizeof *known * (size_t)(known_count + 1));
  known[known_count].text = strdup(text);
  known[known_count].key = X509_get_pubkey(certificate);
  X509_free(certificate);
  return known[known_count++].key;
}

static int is_signed(xmlDocPtr doc) {
  xmlNodePtr root = xmlDocGetRootElement(doc);
  xmlNodePtr nfe = strcmp((const char *)root->name, "NFe") ? child(root, "NFe") : root;
  xmlNodePtr inf = child(nfe, "infNFe"), signature = child(nfe, "Signature");
  xmlNodePtr info = child(signature, "SignedInfo"), reference = child(info, "Reference");
  if (!inf || !reference) return 0;
  xmlChar *id = xmlGetProp(inf, BAD_CAST "Id"), *uri = xmlGetProp(reference, BAD_CAST "URI");
  int same = id && uri && uri[0] == '#' && !xmlStrcmp(uri + 1, id);
  xmlFree(id);
  xmlFree(uri);
  if (!same) return 0;

  unsigned char digest[64], said[64], value[1024];
  unsigned int size = 0;
  xmlBufferPtr form = canonical(doc, inf, "inf");
  EVP_Digest(xmlBufferContent(form), (size_t)xmlBufferLength(form), digest, &size, EVP_sha1(), NULL);
  xmlBufferFree(form);
  if (decoded(child(reference, "DigestValue"), said, sizeof said) != 20 || memcmp(digest, said, 20)) return 0;

  EVP_PKEY *key = key_of(child(child(child(signature, "KeyInfo"), "X509Data"), "X509Certificate"));
  int length = decoded(child(signature, "SignatureValue"), value, sizeof value);
  if (!key || length <= 0) return 0;
  form = canonical(doc, info, "info");
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  int good = EVP_DigestVerifyInit(context, NULL, EVP_sha1(), NULL, key) == 1 &&
             EVP_DigestVerify(context, value, (size_t)length, xmlBufferContent(form), (size_t)xmlBufferLength(form)) == 1;
  EVP_MD_CTX_free(context);
  xmlBufferFree(form);
  return good;
}

/* ---- one document, and all of them ---- */

static void judge(const struct file *file, xmlSchemaPtr schema, int mode) {
  xmlDocPtr doc = xmlReadMemory(file->bytes, (int)file->length, NULL, NULL, XML_PARSE_NONET | XML_PARSE_COMPACT);
  if (!doc) die("not well-formed", file->name);
  if (mode >= SCHEMA) {
    xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema);
    if (xmlSchemaValidateDoc(context, doc) != 0) die("not valid", file->name);
    xmlSchemaFreeValidCtxt(context);
  }
  if (mode >= SIGNATURE && !is_signed(doc)) die("signature does not hold", file->name);
  xmlFreeDoc(doc);
}

int main(int argc, char **argv) {
  if (argc < 5) die("usage", "nucleo schema.xsd rounds forma|esquema|assinatura file...");
  int rounds = atoi(argv[2]), count = argc - 4;
  int mode = !strcmp(argv[3], "forma") ? PARSE : !strcmp(argv[3], "esquema") ? SCHEMA : SIGNATURE;
  xmlInitParser();
  xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(argv[1]);
  xmlSchemaPtr schema = xmlSchemaParse(parser);
  xmlSchemaFreeParserCtxt(parser);
  if (!schema) die("schema does not compile", argv[1]);
  struct file *files = malloc(sizeof *files * (size_t)count);
  for (int i = 0; i < count; i++) files[i] = load(argv[i + 4]);

  double shortest = 1e9;
  for (int round = 0; round < rounds; round++) {
    double started = now();
    for (int i = 0; i < count; i++) judge(&files[i], schema, mode);
    double took = now() - started;
    if (took < shortest) shortest = took;
  }
  printf("%.6f\n", shortest);
  return 0;
}
