package summary

import (
	"slices"
	"strings"
	"testing"

	"github.com/tamp-dev/tamp/core/transcript"
)

// told is a piece of a language, of our own making: two or three sentences of what
// a user says, and a summary as a model writes one.
type told struct{ name, tag, english, user, answer string }

func everySpoken() []told {
	return []told{
		{
			"English", "en", "English", "Please find out why the tests have been failing since yesterday and fix the cause, but do not change the public functions of the package. When you are done, tell me what was wrong.",
			"## Progress\nThe cause is known: the lexer did not check the end of the input. It was fixed in `lexer.go`, and the tests of the package pass. The documentation has not been changed yet, because the user wants to see the result first.",
		},
		{
			"French", "fr", "French", "Peux-tu regarder pourquoi les tests échouent depuis hier et corriger la cause, sans changer les fonctions publiques du paquet ? Quand c'est fini, dis-moi ce qui n'allait pas dans le code.",
			"## Avancement\nLa cause est connue : l'analyseur ne vérifiait pas la fin de l'entrée. Elle a été corrigée dans `lexer.go` et les tests du paquet passent. La documentation n'est pas encore à jour, car il faut d'abord montrer le résultat à l'utilisateur.",
		},
		{
			"German", "de", "German", "Bitte finde heraus, warum die Tests seit gestern fehlschlagen, und behebe die Ursache, aber ändere nicht die öffentlichen Funktionen des Pakets. Wenn du fertig bist, sag mir, was falsch war.",
			"## Stand\nDie Ursache ist bekannt: Der Lexer hat das Ende der Eingabe nicht geprüft. Das wurde in `lexer.go` behoben, und die Tests des Pakets laufen durch. Die Dokumentation ist noch nicht angepasst, weil der Nutzer zuerst das Ergebnis sehen will.",
		},
		{
			"Spanish", "es", "Spanish", "Averigua por favor por qué fallan las pruebas desde ayer y corrige la causa, pero no cambies las funciones públicas del paquete. Cuando termines, dime qué estaba mal y dónde está el error.",
			"## Estado\nLa causa ya se conoce: el analizador no comprobaba el final de la entrada. Se corrigió en `lexer.go` y las pruebas del paquete pasan. La documentación todavía no está cambiada, porque el usuario quiere ver el resultado y los cambios con calma.",
		},
		{
			"Italian", "it", "Italian", "Cerca di capire perché i test non passano più da ieri e correggi la causa, ma non cambiare le funzioni pubbliche del pacchetto. Quando hai finito, dimmi che cosa non andava nel codice.",
			"## Stato\nLa causa è nota: il lexer non controllava la fine dell'input. È stato corretto in `lexer.go` e i test del pacchetto passano. La documentazione non è ancora aggiornata, perché l'utente vuole vedere prima il risultato della modifica e anche i dettagli.",
		},
		{
			"Portuguese", "pt-BR", "Portuguese", "Descubra por que os testes estão falhando desde ontem e corrija a causa, mas não altere as funções públicas do pacote. Quando terminar, diga o que estava errado e como foi resolvido, com os detalhes.",
			"## Estado\nA causa já é conhecida: o analisador não verificava o fim da entrada. Isso foi corrigido em `lexer.go` e os testes do pacote passam. A documentação ainda não foi alterada, porque o usuário quer ver o resultado com os próprios olhos.",
		},
		{
			"Dutch", "nl", "Dutch", "Zoek alsjeblieft uit waarom de tests sinds gisteren niet meer slagen en los de oorzaak op, maar verander de publieke functies van het pakket niet. Vertel me daarna wat er mis was en wat je hebt gedaan.",
			"## Stand\nDe oorzaak is bekend: de lexer controleerde het einde van de invoer niet. Dat is in `lexer.go` opgelost en de tests van het pakket slagen. De documentatie is nog niet aangepast, omdat de gebruiker het resultaat eerst wil zien voordat het verder gaat.",
		},
		{
			"Swedish", "sv", "Swedish", "Ta reda på varför testerna inte har gått igenom sedan i går och rätta till orsaken, men ändra inte paketets publika funktioner. När du är klar får du gärna berätta vad som var fel och hur det löstes.",
			"## Läge\nOrsaken är känd: lexern kontrollerade inte slutet av indata. Det är rättat i `lexer.go` och paketets tester går igenom. Dokumentationen har inte ändrats än, eftersom användaren vill se resultatet först och att det inte påverkar något annat.",
		},
		{
			"Polish", "pl", "Polish", "Sprawdź proszę, dlaczego testy nie przechodzą od wczoraj i usuń przyczynę, ale nie zmieniaj publicznych funkcji pakietu. Jak skończysz, napisz, co było nie tak i które pliki są zmienione przez ciebie.",
			"## Stan\nPrzyczyna jest znana: lekser nie sprawdzał końca danych. Błąd został usunięty w `lexer.go` i testy pakietu już przechodzą. Dokumentacja nie jest jeszcze zmieniona, bo użytkownik chce się najpierw dowiedzieć, jak to działa oraz że nic się nie psuje.",
		},
		{
			"Turkish", "tr", "Turkish", "Testlerin dünden beri neden geçmediğini bul ve sorunu çöz, ancak paketin açık işlevlerini değiştirme. Bittikten sonra neyin yanlış olduğunu ve bu hatanın nasıl çözüldüğünü kısa bir not olarak bana yaz, daha çok ayrıntı için dosyaya bak.",
			"## Durum\nNeden belli: sözcük çözümleyici girdinin sonunu kontrol etmiyordu. Bu hata `lexer.go` içinde düzeltildi ve paketin testleri geçiyor. Belgeler henüz değil, ancak kullanıcı önce sonucu görmek istediği için bir sonraki adım olarak bu bekliyor ve daha sonra yapılacak.",
		},
	}
}

func users(texts ...string) *transcript.Transcript {
	t := &transcript.Transcript{}
	for _, text := range texts {
		t.Items = append(t.Items, transcript.Item{Role: transcript.User, Parts: []transcript.Part{{Kind: transcript.Text, Text: text}}})
	}
	return t
}

// Every language's summary is taken in a conversation of its own and refused in
// every other, whether the user's words tell the language, a tag or a name.
func TestLanguageWords(t *testing.T) {
	for _, user := range everySpoken() {
		for _, answer := range everySpoken() {
			want := user.name == answer.name
			for how, l := range map[string]Language{
				"words": LanguageOf("auto", users(user.user)), "tag": LanguageOf(user.tag, users()),
				"name": LanguageOf(user.english, users()), "small name": LanguageOf(strings.ToLower(user.english), users()),
			} {
				if got := l.Accepts(answer.answer); got != want {
					t.Errorf("%s for %s by %s: accepted is %v", answer.name, user.name, how, got)
				}
			}
		}
	}
}

// What is not clear is accepted.
func TestLanguageDoubt(t *testing.T) {
	all := everySpoken()
	english, french, german := all[0], all[1], all[2]
	const (
		log    = "\nThe build failed because the file was not found and there is nothing to do. Please check that the path is right and that you have the rights to read it. It was run with the options that are in the file.\n"
		code   = "```go\n// the lexer is not done with the input, and this is what it does for that\nfor it := range the.Items { if it.Is(not) { return the.End() } }\n```\n"
		short  = "Ursache gefunden, Test repariert."
		bullet = "- lexer.go: bounds check\n- parser.go: error path\n- TestNumbers, TestStrings: pass\n- docs: open\n- next: release v1.2.3, changelog, tag, upload, announce, close issue 12"
		finn   = "Selvitä miksi testit ovat epäonnistuneet eilisestä lähtien ja korjaa syy, mutta älä muuta paketin julkisia funktioita. Kerro lopuksi mikä oli vialla."
	)
	for _, c := range []struct {
		name   string
		of     Language
		answer string
		want   bool
	}{
		{"English logs under a German sentence, answered in German", LanguageOf("", users(german.user+log+log+log)), german.answer, true},
		{"and in English", LanguageOf("", users(german.user+log+log+log)), english.answer, true},
		{"but not in French", LanguageOf("", users(strings.Repeat(german.user, 8)+log)), french.answer, false},
		{"English comments in code say nothing", LanguageOf("", users(german.user+"\n"+strings.Repeat(code, 5))), english.answer, false},
		{"nor in the answer", LanguageOf("", users(german.user)), german.answer + "\n" + strings.Repeat(code, 5), true},
		{"prose in another language around code of ours", LanguageOf("", users(german.user)), english.answer + "\n" + strings.Repeat("`die Datei ist nicht da` ", 9), false},
		{"a short answer", LanguageOf("", users(english.user)), short, true},
		{"a list of names", LanguageOf("", users(german.user)), bullet, true},
		{"a language without words", LanguageOf("", users(finn)), english.answer, true},
		{"English for a tag of one", LanguageOf("fi", users()), english.answer, false},
		{"and its own", LanguageOf("Finnish", users()), finn, true},
		{"a tag that nobody knows", LanguageOf("xx-klingon", users()), english.answer, true},
		{"Japanese by name", LanguageOf("Japanese", users()), english.answer, false},
		{"half English, half German", LanguageOf("", users(german.user, english.user)), german.answer, true},
		{"half German, half English", LanguageOf("", users(german.user, english.user)), english.answer, true},
	} {
		if got := c.of.Accepts(c.answer); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// No word stands for a language only by its place in the switch: those that two
// languages have are the business of sharedTongues.
func TestTongueWords(t *testing.T) {
	for _, word := range strings.Fields("was of to as do la que et die das para una se na var is will") {
		if of := tongueOf(word); of == 0 || slices.Contains([]tongue{inEnglish, inFrench, inGerman, inSpanish, inItalian, inPortuguese, inDutch, inNordic, inPolish, inTurkish}, of) {
			t.Errorf("%q counts for %b", word, of)
		}
	}
}
