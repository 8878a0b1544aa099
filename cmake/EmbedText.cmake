# cmake -D INPUT=FILE -D OUTPUT=FILE -P EmbedText.cmake: a text file as a string
# literal of C++.
file(READ "${INPUT}" text)
file(WRITE "${OUTPUT}" "R\"text(${text})text\"\n")
